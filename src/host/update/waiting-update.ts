// A package waiting for the next start: verified like `headframe verify`, kept in a folder that is created atomically.
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { reasonOf } from '../../base/errors'
import { readJson, writeJson } from '../../files/json-file'
import { HostError } from '../errors'
import { copyRegularFile } from '../release/regular-file'
import { releaseKeys } from '../release/release-keys'
import { isNewer, isReleaseVersion } from '../release/release-version'
import { MAX_SIGNATURE_BYTES, MAX_SUMS_BYTES, SUMS, verifyRelease } from '../release/verify-release'
import { MAX_PACKAGE_BYTES } from './update-notice'

const WAITING_FILE = 'waiting.json'

const waitingSchema = z
  .object({
    version: z.string().refine(isReleaseVersion),
    /** Name of the package in the same folder. */
    file: z.string().regex(/^[\w+~-][\w.+~-]*$/),
    /** The public key it was verified with; null: a built-in one. */
    keyFile: z.string().nullable(),
    /** Accepted although it isn't newer. */
    older: z.boolean(),
  })
  .strict()

export type WaitingUpdate = z.infer<typeof waitingSchema>

interface Trust {
  readonly keyFile: string | null
  readonly older: boolean
  /** Version of this program. */
  readonly running: string
  /** The announced version; null: any. */
  readonly version: string | null
}

/**
 * Adds a package to `folder`, replacing an earlier one. @param fill puts it, with sums and signature; returns its name
 * @throws HostError HOST_RELEASE_..., HOST_UPDATE_NOT_NEWER, HOST_UPDATE_NO_ROOM; as `fill`. Then nothing is left of it
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
    writeJson(join(partial, WAITING_FILE), waiting)
    rmSync(folder, { recursive: true, force: true })
    renameSync(partial, folder)
    return waiting
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (isSystemError(error)) throw new HostError('HOST_UPDATE_NO_ROOM', { folder, reason: reasonOf(error) })
    throw error
  }
}

/** Genuine, and newer unless an older one is permitted. @throws HostError HOST_RELEASE_..., HOST_UPDATE_NOT_NEWER */
export async function checkedVersion(file: string, trust: Trust): Promise<string> {
  const { keyFile, older, running, version: announced } = trust
  const keys = await releaseKeys(keyFile)
  const { version } = await verifyRelease({ file, keys, notOlderThan: older ? null : running })
  if (!isNewer(version, running) && !older) throw new HostError('HOST_UPDATE_NOT_NEWER', { version, running })
  if (announced === null || announced === version) return version
  throw new HostError('HOST_UPDATE_OTHER_VERSION', { announced, found: version })
}

/** Null when nothing waits. @throws HostError HOST_UPDATE_WAITING when it can't be read */
export function readWaiting(folder: string): WaitingUpdate | null {
  try {
    return readJson(join(folder, WAITING_FILE), waitingSchema)
  } catch (error) {
    throw new HostError('HOST_UPDATE_WAITING', { folder, reason: reasonOf(error) })
  }
}

export function forgetWaiting(folder: string): void {
  for (const path of [folder, `${folder}.partial`]) rmSync(path, { recursive: true, force: true })
}

/** From a file: the package with the sums and signature beside it. Returns the package's name. */
export function copyFrom(file: string): (folder: string) => Promise<string> {
  const path = resolve(file)
  const name = basename(path)
  // The small ones first: if they are missing, nothing large is copied in vain.
  const files = { [SUMS]: MAX_SUMS_BYTES, [`${SUMS}.minisig`]: MAX_SIGNATURE_BYTES, [name]: MAX_PACKAGE_BYTES }
  return async (folder) => {
    for (const [each, mostBytes] of Object.entries(files))
      await copyRegularFile(join(dirname(path), each), join(folder, each), mostBytes)
    return name
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
