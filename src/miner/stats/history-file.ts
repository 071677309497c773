// The chart history's storage: one file, replaced as a whole so that a crash leaves either the old or the new one, and
// sealed, so that damage shows.
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { isSystemCode } from '../../base/errors'
import { jsonOrNull } from '../../base/json-text'
import { replaceDurably } from '../../files/durable-file'

/** What a history needs of its file. */
export type HistoryStore = Pick<HistoryFile, 'load' | 'save'>

/** Storage in a file. */
export class HistoryFile {
  /** @param path absolute */
  constructor(private readonly path: string) {}

  /** Null when there is none yet. @throws the file system's error */
  async load(): Promise<Uint8Array | null> {
    try {
      return await readFile(this.path)
    } catch (error: unknown) {
      if (isSystemCode(error, 'ENOENT')) return null
      throw error
    }
  }

  /** @throws the file system's error; the old content is intact then */
  async save(bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true })
    await replaceDurably(this.path, bytes)
  }
}

const sealSchema = z.looseObject({ sha256: z.string() })
const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex')

/** The header as one JSON line, with the SHA-256 of what follows; then the parts. */
export function sealed(header: object, parts: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, sha256: hashOf(body) })}\n`), body])
}

/** What `sealed` was given, its parts in one; null for any other bytes. */
export function unsealed<T>(
  bytes: Uint8Array,
  schema: z.ZodType<T>,
  maxHeaderBytes: number,
): { readonly header: T; readonly body: Uint8Array } | null {
  const end = bytes.subarray(0, maxHeaderBytes).indexOf(0x0a)
  const line = jsonOrNull(Buffer.from(bytes.subarray(0, Math.max(0, end))).toString('utf8'))
  const body = bytes.subarray(end + 1)
  const [seal, header] = [sealSchema.safeParse(line), schema.safeParse(line)]
  return seal.data?.sha256 === hashOf(body) && header.success ? { header: header.data, body } : null
}
