// The files of one audit log: the current one, and earlier full ones (`audit.log.0001`, `audit.log.0002`, ...). The
// hash chain continues across files.
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { isSystemCode } from '../../base/errors'

const NUMBER_DIGITS = 4
/** Maximum length of a record: a request may have 5 MiB, which its record contains twice, escaped. */
const LONGEST_RECORD_BYTES = 64 * 1024 * 1024
/** The previous hash in the first record. */
export const FIRST_LINK = '0'.repeat(64)
const CHUNK_BYTES = 64 * 1024
const LINE_END = 10

const link = z.object({ seq: z.number().int().nonnegative(), hash: z.string().regex(/^[0-9a-f]{64}$/) })

/** Full files, oldest first; none when the folder is missing. @throws Error of the file system */
export async function fullFiles(file: string): Promise<readonly string[]> {
  return (await numbersOf(file)).map((number) => fullName(file, number))
}

/** The name of the current file once it is full. @param number its own, after all earlier ones */
export function fullName(file: string, number: number): string {
  return join(dirname(file), `${basename(file)}.${String(number).padStart(NUMBER_DIGITS, '0')}`)
}

export function numberOfFull(path: string): number {
  return Number(path.slice(path.lastIndexOf('.') + 1))
}

/** Where the current file begins: its number once it is full, and the last record before it. @throws Error when that isn't one */
export async function beginOfPresent(
  file: string,
): Promise<{ readonly number: number; readonly records: number; readonly hash: string }> {
  const last = (await numbersOf(file)).at(-1)
  if (last === undefined) return { number: 1, records: 0, hash: FIRST_LINK }
  const { seq, hash } = link.parse(JSON.parse(await lastLineOf(fullName(file, last))))
  return { number: last + 1, records: seq + 1, hash }
}

/** Opened for reading; null when it doesn't exist. @throws Error of the file system */
export async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, 'r')
  } catch (error) {
    if (isSystemCode(error, 'ENOENT')) return null
    throw error
  }
}

async function numbersOf(file: string): Promise<readonly number[]> {
  const prefix = `${basename(file)}.`
  const names = await readdir(dirname(file)).catch((error: unknown) => {
    if (isSystemCode(error, 'ENOENT')) return []
    throw error
  })
  return names
    .filter((name) => name.startsWith(prefix) && /^\d{4,9}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b)
}

async function lastLineOf(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const parts: Uint8Array[] = []
    let length = 0
    for (let end = size - 1; end > 0 && length < LONGEST_RECORD_BYTES; ) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end))
      await handle.read(chunk, 0, chunk.length, end - chunk.length)
      const start = chunk.lastIndexOf(LINE_END) + 1
      parts.unshift(chunk.subarray(start))
      length += chunk.length - start
      if (start > 0) break
      end -= chunk.length
    }
    return Buffer.concat(parts).toString('utf8')
  } finally {
    await handle.close()
  }
}
