// The operator's node lists: static nodes, to which we always stay connected, and trusted nodes, exempt from limits.
// File names and format as in the reference: a JSON array of enode URLs, beside the node key.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isSystemCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { type NodeAddress, parseEnode } from './node-address'

/** Nodes to connect to regardless of discovery. */
export interface NodeLists {
  readonly fixed: readonly NodeAddress[]
  readonly trusted: readonly NodeAddress[]
  /** Not from the operator: good peers of the last run, see peer/anchors.ts. */
  readonly anchors: readonly NodeAddress[]
}

export const ANCHORS_FILE = 'anchors.json'
const MAX_ANCHORS = 2
const FILE = z.array(z.string())
const MAX_BYTES = 1_000_000

/** A missing file gives no nodes; an unreadable one is logged and skipped. @param folder of the network */
export async function readNodeLists(folder: string, log: Logger): Promise<NodeLists> {
  return {
    fixed: await readList(join(folder, 'static-nodes.json'), log),
    trusted: await readList(join(folder, 'trusted-nodes.json'), log),
    anchors: (await readList(join(folder, ANCHORS_FILE), log)).slice(0, MAX_ANCHORS),
  }
}

async function readList(file: string, log: Logger): Promise<readonly NodeAddress[]> {
  let urls: readonly string[]
  try {
    const text = await readFile(file, 'utf8')
    if (text.length > MAX_BYTES) throw new RangeError(`${text.length} characters, want at most ${MAX_BYTES}`)
    urls = FILE.parse(JSON.parse(text))
  } catch (error: unknown) {
    if (!isSystemCode(error, 'ENOENT'))
      log.warn('node list skipped: want a JSON array of enode URLs', { file, error: messageOf(error) })
    return []
  }
  return urls.flatMap((url) => {
    const address = parseEnode(url)
    if (address.ok) return [address.value]
    log.warn('invalid node in a list skipped', { file, url: url.slice(0, 200), reason: address.error })
    return []
  })
}
