// Requests left open by a signer that ended without closing (a crash, a power loss): their callers are gone, so the
// next start records their rejection. A request never survives a restart.

import { createReadStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { jsonOrNull } from '../../base/json-text'
import { fullFiles } from '../audit/audit-files'
import type { AuditLog } from '../audit/audit-log'
import { QUEUE_LIMITS } from './queue-limits'

/** What can be open at once, at up to three bytes a character, and what is in between. */
const MAX_BYTES = 4 * QUEUE_LIMITS.openLength

const kind = z.enum(['newAccount', 'listing', 'signTransaction', 'signData', 'signTypedData'])
const entry = z.object({ type: z.enum(['request', 'result']), id: z.string(), kind })

type LeftOpen = Pick<z.infer<typeof entry>, 'id' | 'kind'>

/** Requests at the end of the audit log without a result. @param file the audit log, complete lines only */
export async function requestsLeftOpen(file: string): Promise<readonly LeftOpen[]> {
  const found = new Map<string, LeftOpen>()
  for await (const line of linesOfEnd(file)) {
    // Most lines are neither and needn't be parsed.
    if (!line.includes('"type":"request"') && !line.includes('"type":"result"')) continue
    const read = entry.safeParse(jsonOrNull(line)).data // the first line of a tail may be truncated
    if (read === undefined) continue
    if (read.type === 'request') found.set(read.id, { id: read.id, kind: read.kind })
    else found.delete(read.id)
  }
  return [...found.values()]
}

/** A recently begun file continues a full one. The first line may be truncated. */
async function* linesOfEnd(file: string): AsyncGenerator<string> {
  const { size } = await stat(file)
  const full = size < MAX_BYTES ? (await fullFiles(file)).at(-1) : undefined
  if (full !== undefined) yield* linesFrom(full, Math.max(0, (await stat(full)).size + size - MAX_BYTES))
  yield* linesFrom(file, Math.max(0, size - MAX_BYTES))
}

async function* linesFrom(file: string, start: number): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(file, { start }), crlfDelay: Number.POSITIVE_INFINITY })
}

/**
 * Opens the audit log, creating its folder if missing.
 * @param isOwn no other process has requests in it, so those left open are rejected now
 * @throws as AuditLog.open and append
 */
export async function openRecord(audit: AuditLog, file: string, isOwn: boolean): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await audit.open()
  if (!isOwn) return
  const denied = { type: 'result', state: 'rejected', error: 'request denied' } as const
  const detail = { reason: 'the signer ended while it waited' }
  for (const { id, kind } of await requestsLeftOpen(file)) await audit.append({ ...denied, id, kind, detail })
}
