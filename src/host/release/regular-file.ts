// Reads regular files only: links, folders, devices and pipes are rejected, and the file checked is the file read.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isSystemCode, reasonOf } from '../../base/errors'
import { HostError } from '../errors'

/** Without O_NONBLOCK opening a named pipe would block. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const OWNER_ONLY = 0o600

/** @throws HostError HOST_RELEASE_FILE */
export async function readSmallFile(file: string, mostBytes: number): Promise<Buffer> {
  return withFile(file, async (handle, bytes) => {
    expectSize(file, bytes, mostBytes)
    return handle.readFile()
  })
}

/** Copies a file, fsynced, mode 0600. @throws HostError HOST_RELEASE_FILE; the system's error in writing */
export async function copyRegularFile(file: string, to: string, mostBytes: number): Promise<void> {
  let failure: unknown = null
  const write = async (handle: FileHandle, bytes: number): Promise<void> => {
    expectSize(file, bytes, mostBytes)
    const copy = await open(to, 'wx', OWNER_ONLY).catch(failed)
    try {
      // What is appended meanwhile isn't part of it.
      for await (const part of handle.createReadStream({ autoClose: false, end: bytes - 1 }))
        await copy.writeFile(part as Buffer).catch(failed)
      await copy.sync().catch(failed)
    } finally {
      await copy.close()
    }
  }
  const failed = (error: unknown): never => {
    failure = error
    throw error
  }
  await withFile(file, write).catch((error: unknown) => {
    throw failure ?? error
  })
}

function expectSize(file: string, bytes: number, mostBytes: number): void {
  if (bytes > mostBytes) throw refused(file, `it has ${bytes} bytes, more than the ${mostBytes} of any such file`)
}

/** @returns 64 hex digits. @throws HostError HOST_RELEASE_FILE */
export async function sha256OfFile(file: string): Promise<string> {
  return withFile(file, async (handle) => {
    const hash = createHash('sha256')
    for await (const part of handle.createReadStream({ autoClose: false })) hash.update(part as Buffer)
    return hash.digest('hex')
  })
}

/** @throws HostError HOST_RELEASE_FILE unless it is a file with content */
export async function requireFile(file: string): Promise<void> {
  await withFile(file, async () => undefined)
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
    throw refused(file, isSystemCode(error, 'ELOOP') ? 'it is a link: name the file itself' : reasonOf(error))
  } finally {
    await handle?.close()
  }
}

function refused(file: string, reason: string): Error {
  return new HostError('HOST_RELEASE_FILE', { file, reason })
}
