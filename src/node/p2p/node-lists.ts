// Lists of nodes beside the node key, each a JSON array of enode URLs. The operator's, as in prlx: static nodes,
// to which we stay connected, and trusted ones, exempt from limits. Ours: two peers to dial first after a restart.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isSystemCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { replaceOwnerFile } from '../../files/owner-file'
import { formatEnode, type NodeAddress, parseEnode } from './node-address'
import type { Peer } from './peer/peer'

export interface NodeLists {
  readonly fixed: readonly NodeAddress[]
  readonly trusted: readonly NodeAddress[]
  /** Good peers of the last run: who filled the node lists meanwhile must not choose all our peers. */
  readonly anchors: readonly NodeAddress[]
}

export const ANCHORS_FILE = 'anchors.json'
const MAX_ANCHORS = 2
const FILE = z.array(z.unknown())
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
  let entries: readonly unknown[]
  try {
    const text = await readFile(file, 'utf8')
    if (text.length > MAX_BYTES) throw new RangeError(`${text.length} characters, want at most ${MAX_BYTES}`)
    entries = FILE.parse(JSON.parse(text))
  } catch (error: unknown) {
    if (!isSystemCode(error, 'ENOENT'))
      log.warn('node list skipped: want a JSON array of enode URLs', { file, error: messageOf(error) })
    return []
  }
  return entries.flatMap((entry) => {
    const url = typeof entry === 'string' ? entry : JSON.stringify(entry)
    const address = parseEnode(url)
    if (address.ok) return [address.value]
    log.warn('invalid node in a list skipped', { file, url: url.slice(0, 200), reason: address.error })
    return []
  })
}

/** The longest-lived outbound peers that delivered verified blocks, from different wide neighborhoods. */
export function anchorsAmong(
  peers: readonly Pick<Peer, 'info' | 'id' | 'proven' | 'region' | 'joinedAt'>[],
): readonly NodeAddress[] {
  const regions = new Set<string>()
  const anchors: NodeAddress[] = []
  for (const { info, id, proven, region } of [...peers].sort((a, b) => a.joinedAt - b.joinedAt)) {
    const isTaken = region !== null && regions.has(region)
    if (info.direction !== 'outbound' || info.isStatic || proven === null || isTaken) continue
    if (region !== null) regions.add(region)
    anchors.push({ id, host: info.host, tcpPort: info.port, udpPort: info.port })
    if (anchors.length === MAX_ANCHORS) break
  }
  return anchors
}

/** The file of anchors, a JSON array of enode URLs. */
export class AnchorFile {
  #written = ''

  /** @param file absolute path; its folder must exist. Null = not persisted */
  constructor(
    private readonly file: string | null,
    private readonly log: Logger,
  ) {}

  /** Without any good peer, the previous anchors stay. */
  keep(anchors: readonly NodeAddress[]): void {
    const text = JSON.stringify(anchors.map(formatEnode))
    if (this.file === null || anchors.length === 0 || text === this.#written) return
    try {
      replaceOwnerFile(this.file, text)
      this.#written = text
    } catch (error: unknown) {
      this.log.warn('anchors not written', { file: this.file, error: messageOf(error) })
    }
  }
}
