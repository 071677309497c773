// Requests that a signer left open when it ended without closing (a crash, a lost computer): their callers have gone, so
// the next start puts their denial on record. A request never survives a restart.
import { open } from 'node:fs/promises'
import { z } from 'zod'
import { fullFiles } from '../audit/audit-files'

/** How far back is looked: the queue holds 64 requests, whose records together are at most 16 MiB. */
const MOST_BYTES = 32 * 1024 * 1024

const kind = z.enum(['newAccount', 'listing', 'signTransaction', 'signData', 'signTypedData'])
const entry = z.object({ type: z.enum(['request', 'result']), id: z.string(), kind })

export type LeftOpen = Pick<z.infer<typeof entry>, 'id' | 'kind'>

/**
 * Requests at the end of the record that have no result.
 * @param file the record, complete lines only
 */
export async function requestsLeftOpen(file: string): Promise<readonly LeftOpen[]> {
  const found = new Map<string, LeftOpen>()
  for (const line of (await endOf(file)).split('\n')) {
    // Most lines are neither; those are not worth their parsing.
    if (!line.includes('"type":"request"') && !line.includes('"type":"result"')) continue
    const read = parse(line)
    if (read === null) continue
    if (read.type === 'request') found.set(read.id, { id: read.id, kind: read.kind })
    else found.delete(read.id)
  }
  return [...found.values()]
}

function parse(line: string): z.infer<typeof entry> | null {
  try {
    return entry.safeParse(JSON.parse(line)).data ?? null
  } catch {
    // The first line of a tail may be cut.
    return null
  }
}

/** A file that was begun lately goes on from a full one. */
async function endOf(file: string): Promise<string> {
  const present = await tailOf(file, MOST_BYTES)
  const missing = MOST_BYTES - present.length
  const full = missing > 0 ? (await fullFiles(file)).at(-1) : undefined
  return full === undefined ? present : (await tailOf(full, missing)) + present
}

async function tailOf(file: string, most: number): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, most)
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await handle.read(bytes, 0, length, size - length)
    return bytes.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
