// A package that waits for the next start: checked as `headframe verify` does, kept in a folder that comes into being whole.
import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { replaceOwnerFile } from '../../files/owner-file'
import { HostError } from '../errors'
import { releaseKeys } from '../release/release-keys'
import { isNewer, isReleaseVersion } from '../release/release-version'
import { SUMS, verifyRelease } from '../release/verify-release'

export const WAITING_FILE = 'waiting.json'

const waitingSchema = z
  .object({
    version: z.string().refine(isReleaseVersion),
    /** Name of the package in the same folder. */
    file: z.string().regex(/^[\w+~-][\w.+~-]*$/),
    /** The public key that was trusted for it; null: one of those built in. */
    keyFile: z.string().nullable(),
    /** It is taken though it is not newer. */
    older: z.boolean(),
  })
  .strict()

export type WaitingUpdate = z.infer<typeof waitingSchema>

export interface Trust {
  readonly keyFile: string | null
  readonly older: boolean
  /** Version of this program. */
  readonly running: string
  /** The version that was announced; null: any. */
  readonly version: string | null
}

/**
 * Takes a package in: it waits in `folder`, in place of one that waited before.
 * @param fill puts the package, SHA256SUMS and its signature into a folder; gives the package's name
 * @throws HostError HOST_RELEASE_..., HOST_UPDATE_NOT_NEWER, HOST_UPDATE_NO_ROOM; what `fill` throws. Then nothing is left of it
 */
export async function keepWaiting(
  folder: string,
  trust: Trust,
  fill: (folder: string) => Promise<string>,
): Promise<WaitingUpdate> {
  const partial = `${folder}.partial`
  try {
    rmSync(partial, { recursive: true, force: true })
    mkdirSync(partial, { recursive: true, mode: 0o700 })
    const file = await fill(partial)
    const version = await checkedVersion(join(partial, file), trust)
    const waiting = { version, file, keyFile: trust.keyFile, older: trust.older }
    replaceOwnerFile(join(partial, WAITING_FILE), `${JSON.stringify(waiting)}\n`)
    rmSync(folder, { recursive: true, force: true })
    renameSync(partial, folder)
    return waiting
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (isSystemError(error)) throw new HostError('HOST_UPDATE_NO_ROOM', { folder, reason: messageOf(error) })
    throw error
  }
}

/**
 * Genuine, and newer than this program unless an older one is wanted.
 * @throws HostError HOST_RELEASE_..., HOST_UPDATE_NOT_NEWER
 */
export async function checkedVersion(file: string, trust: Trust): Promise<string> {
  const { keyFile, older, running, version: announced } = trust
  const keys = await releaseKeys(keyFile)
  const { version } = await verifyRelease({ file, keys, notOlderThan: older ? null : running })
  if (!isNewer(version, running) && !older) throw new HostError('HOST_UPDATE_NOT_NEWER', { version, running })
  if (announced === null || announced === version) return version
  throw new HostError('HOST_UPDATE_OTHER_VERSION', { announced, found: version })
}

/** Null where nothing waits, or it can't be read. */
export function readWaiting(folder: string): WaitingUpdate | null {
  try {
    return waitingSchema.parse(JSON.parse(readFileSync(join(folder, WAITING_FILE), 'utf8')))
  } catch {
    return null
  }
}

export function forgetWaiting(folder: string): void {
  for (const path of [folder, `${folder}.partial`]) rmSync(path, { recursive: true, force: true })
}

/** From a disk: the package and what vouches for it, which lies beside it. Names the package. */
export function copyFrom(file: string): (folder: string) => Promise<string> {
  const path = resolve(file)
  const beside = dirname(path)
  return async (folder) => {
    for (const name of [basename(path), SUMS, `${SUMS}.minisig`]) {
      try {
        copyFileSync(join(beside, name), join(folder, name))
      } catch (error) {
        if (isSystemError(error) && error.code === 'ENOSPC') throw error
        throw new HostError('HOST_RELEASE_FILE', { file: join(beside, name), reason: messageOf(error) })
      }
    }
    syncFile(join(folder, basename(path)))
    return basename(path)
  }
}

function syncFile(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
