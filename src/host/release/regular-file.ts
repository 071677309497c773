// Reads regular files only: links, folders, devices and pipes are rejected, and the file checked is the file read.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { messageOf } from '../../base/errors'
import { isSystemCode } from '../../base/system-code'
import { HostError } from '../errors'

/** Without O_NONBLOCK opening a named pipe would block. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** @throws HostError HOST_RELEASE_FILE */
export async function readSmallFile(file: string, mostBytes: number): Promise<Buffer> {
  return withFile(file, async (handle, bytes) => {
    if (bytes > mostBytes) throw refused(file, `it has ${bytes} bytes, more than the ${mostBytes} of any such file`)
    return handle.readFile()
  })
}

/** @returns 64 hex digits. @throws HostError HOST_RELEASE_FILE */
export async function sha256OfFile(file: string): Promise<string> {
  return withFile(file, async (handle) => {
    const hash = createHash('sha256')
    for await (const part of handle.createReadStream({ autoClose: false })) hash.update(part as Buffer)
    return hash.digest('hex')
  })
}

async function withFile<T>(file: string, work: (handle: FileHandle, bytes: number) => Promise<T>): Promise<T> {
  let handle: FileHandle | null = null
  try {
    handle = await open(file, FLAGS)
    const stats = await handle.stat()
    if (!stats.isFile()) throw refused(file, 'it is not a file')
    if (stats.size === 0) throw refused(file, 'it is empty')
    return await work(handle, stats.size)
  } catch (error) {
    if (error instanceof HostError) throw error
    throw refused(file, reasonOf(error))
  } finally {
    await handle?.close()
  }
}

function reasonOf(error: unknown): string {
  if (isSystemCode(error, 'ENOENT')) return 'there is no such file'
  if (isSystemCode(error, 'ELOOP')) return 'it is a link: name the file itself'
  return messageOf(error)
}

function refused(file: string, reason: string): Error {
  return new HostError('HOST_RELEASE_FILE', { file, reason })
}
