// Verifies a file against the release keys, offline: SHA256SUMS and SHA256SUMS.minisig are beside it.
import { basename, dirname, join, resolve } from 'node:path'
import { HostError } from '../errors'
import { type DetachedSignature, isSignedBy, type ReleaseKey, readSignature } from './minisign'
import { readSmallFile, sha256OfFile } from './regular-file'
import { compareVersions, isReleaseVersion } from './release-version'

export const SUMS = 'SHA256SUMS'
export const MAX_SUMS_BYTES = 65_536
export const MAX_SIGNATURE_BYTES = 1_024
const SUMS_LINE = /^([0-9a-f]{64}) [ *]([\w.+~/-]+)$/
/** `headframe VERSION SECONDS`: the comment signed together with the sums. */
const COMMENT = /^headframe (\d\S*) (\d{1,11})$/

interface VerifyOptions {
  readonly file: string
  readonly keys: readonly ReleaseKey[]
  /** Version of this program: older releases are rejected. Null = any version is accepted. */
  readonly notOlderThan: string | null
}

interface VerifiedFile {
  readonly version: string
  /** Time of the released commit, ms since 1970. */
  readonly releasedAt: number
  readonly keyId: string
  readonly sha256: string
}

/** @throws HostError HOST_RELEASE_* */
export async function verifyRelease({ file, keys, notOlderThan }: VerifyOptions): Promise<VerifiedFile> {
  const path = resolve(file)
  const sha256 = await sha256OfFile(path)
  const { folder, name } = await placeOf(path)
  const sumsFile = join(folder, SUMS)
  const sums = await readSmallFile(sumsFile, MAX_SUMS_BYTES)
  const { keyId, comment } = await checkSignature(sumsFile, sums, keys)
  const { version, releasedAt } = readComment(sumsFile, comment)
  const listed = readSums(sumsFile, sums.toString('utf8')).get(name)
  if (listed === undefined) throw new HostError('HOST_RELEASE_NOT_LISTED', { file: name, sums: sumsFile, version })
  if (listed !== sha256) throw new HostError('HOST_RELEASE_CHANGED', { file: path, want: listed, found: sha256 })
  if (notOlderThan !== null && isReleaseVersion(notOlderThan) && compareVersions(version, notOlderThan) < 0)
    throw new HostError('HOST_RELEASE_OLD', { version, running: notOlderThan })
  return { version, releasedAt, keyId, sha256 }
}

/** A file's signature, verified. @param bytes exactly as they will be used @throws HostError HOST_RELEASE_* */
export async function checkSignature(
  file: string,
  bytes: Uint8Array,
  keys: readonly ReleaseKey[],
): Promise<DetachedSignature> {
  const text = await readSmallFile(`${file}.minisig`, MAX_SIGNATURE_BYTES)
  return signatureOf({ file, bytes, text: text.toString('utf8'), keys })
}

/** @throws HostError HOST_RELEASE_SIGNATURE */
export function signatureOf(options: {
  /** The signed file, for messages. */
  readonly file: string
  readonly bytes: Uint8Array
  /** Of the `.minisig` file. */
  readonly text: string
  readonly keys: readonly ReleaseKey[]
}): DetachedSignature {
  const { file, bytes, text, keys } = options
  const refused = (reason: string) => new HostError('HOST_RELEASE_SIGNATURE', { file, reason })
  const signed = readSignature(text)
  if (signed === null) throw refused('want a signature of minisign over the hash of the file')
  const key = keys.find(({ id }) => id === signed.keyId)
  const known = keys.map(({ id }) => id).join(', ')
  if (key === undefined) throw refused(`key ${signed.keyId} signed it, which is not one of ${known}`)
  if (!isSignedBy(key, bytes, signed))
    throw refused(`it was changed after key ${key.id} signed it, or never signed by it`)
  return signed
}

/** The sums are beside the file, or in the parent folder when packages have folders of their own. */
async function placeOf(path: string): Promise<{ readonly folder: string; readonly name: string }> {
  const folder = dirname(path)
  const name = basename(path)
  try {
    await readSmallFile(join(folder, SUMS), MAX_SUMS_BYTES)
  } catch (error) {
    const above = await readSmallFile(join(dirname(folder), SUMS), MAX_SUMS_BYTES).catch(() => null)
    if (above === null) throw error
    return { folder: dirname(folder), name: `${basename(folder)}/${name}` }
  }
  return { folder, name }
}

function readComment(file: string, comment: string): { readonly version: string; readonly releasedAt: number } {
  const [, version = '', seconds = ''] = COMMENT.exec(comment) ?? []
  if (isReleaseVersion(version)) return { version, releasedAt: Number(seconds) * 1000 }
  throw new HostError('HOST_RELEASE_SIGNATURE', {
    file,
    reason: 'its signed comment does not name a release of Headframe',
  })
}

function readSums(file: string, text: string): ReadonlyMap<string, string> {
  const sums = new Map<string, string>()
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new HostError('HOST_RELEASE_SUMS', { file, line: lines.length + 1 })
  lines.forEach((line, index) => {
    const [, hash = '', name = ''] = SUMS_LINE.exec(line) ?? []
    if (name === '' || sums.has(name)) throw new HostError('HOST_RELEASE_SUMS', { file, line: index + 1 })
    sums.set(name, hash)
  })
  return sums
}
