// Requests to the release host: the description of the newest version, and a package with its sums and signature.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/time'
import { HostError } from '../errors'
import { releaseKeys } from '../release/release-keys'
import { MAX_SIGNATURE_BYTES, MAX_SUMS_BYTES, SUMS } from '../release/verify-release'
import { boundedGet, boundedText } from './bounded-get'
import { MAX_NOTICE_BYTES, readNotice, type UpdateFile, type UpdateNotice } from './update-notice'

interface UpdateSource {
  /** Of `update.json`. */
  readonly url: string
  readonly keyFile: string | null
}

interface FetchDeps {
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * The newest signed description.
 * @param seen seconds since 1970, signing time of the newest description ever seen; 0: none
 * @throws HostError HOST_RELEASE_NO_KEY, HOST_RELEASE_KEY_FILE, HOST_UPDATE_UNREACHABLE, HOST_RELEASE_SIGNATURE,
 * HOST_UPDATE_NOTICE, HOST_UPDATE_REPLAYED
 */
export async function fetchNotice(
  { url, keyFile }: UpdateSource,
  seen: number,
  deps: FetchDeps,
): Promise<UpdateNotice> {
  const keys = await releaseKeys(keyFile) // without a key no host is contacted
  const bytes = await boundedText({ ...deps, url, maxBytes: MAX_NOTICE_BYTES })
  const signature = await boundedText({ ...deps, url: beside(url, null, '.minisig'), maxBytes: MAX_SIGNATURE_BYTES })
  const notice = readNotice({ bytes, signature: signature.toString('utf8'), address: url, keys })
  if (notice.signedAt >= seen) return notice
  throw new HostError('HOST_UPDATE_REPLAYED', { signed: dayOf(notice.signedAt), seen: dayOf(seen) })
}

interface DownloadDeps {
  /** Called with the bytes received of the package. */
  readonly onBytes: (done: number) => void
}

/**
 * Downloads a package with its sums and signature into a folder, from beside the description. Returns the package's
 * name.
 * @throws HostError HOST_UPDATE_UNREACHABLE; the system's error when the disk is full
 */
export function downloadFrom(url: string, { name, bytes }: UpdateFile, deps: FetchDeps & DownloadDeps) {
  return async (folder: string): Promise<string> => {
    // The small ones first: if they are missing nothing large is fetched in vain.
    const small = { [SUMS]: MAX_SUMS_BYTES, [`${SUMS}.minisig`]: MAX_SIGNATURE_BYTES }
    for (const [file, maxBytes] of Object.entries(small))
      await toFile(join(folder, file), beside(url, file), maxBytes, () => undefined)
    let done = 0
    await toFile(join(folder, name), beside(url, name), bytes, (count) => {
      done += count
      deps.onBytes(done)
    })
    return name
  }

  async function toFile(
    path: string,
    address: string,
    maxBytes: number,
    onBytes: (count: number) => void,
  ): Promise<void> {
    const handle = openSync(path, 'wx', 0o600)
    const take = (part: Buffer): void => {
      writeSync(handle, part)
      onBytes(part.length)
    }
    try {
      await boundedGet({ ...deps, url: address, maxBytes, take })
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  }
}

/** @param name null: the same file. The query string stays: some hosts need it. */
function beside(url: string, name: string | null, ending = ''): string {
  const address = new URL(url)
  const folder = address.pathname.replace(/[^/]*$/, '')
  address.pathname = name === null ? `${address.pathname}${ending}` : `${folder}${encodeURIComponent(name)}`
  return address.href
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10)
}
