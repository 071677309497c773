// The keys that may sign releases: built in from resources/release-keys/keys.json, or one given by the caller.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import ring from '../../../resources/release-keys/keys.json'
import { messageOf } from '../../base/errors'
import { HostError } from '../errors'
import { type ReleaseKey, readPublicKey } from './minisign'

const MAX_KEY_CHARS = 1_000

/** Any key of the ring may sign: a new one is added through a release signed by an older one. */
const ringSchema = z.object({ keys: z.array(z.string().transform(readBuiltIn)).max(8) })

/** @returns empty while there is no release key */
export function builtInKeys(): readonly ReleaseKey[] {
  return ringSchema.parse(ring).keys
}

function readBuiltIn(text: string, context: z.RefinementCtx): ReleaseKey {
  const key = readPublicKey(text)
  if (key !== null) return key
  context.addIssue({ code: 'custom', message: 'not a public key of minisign' })
  return z.NEVER
}

/** @param file a public key's; null = the built-in ring @throws HostError HOST_RELEASE_KEY_FILE, HOST_RELEASE_NO_KEY */
export async function releaseKeys(
  file: string | null,
  builtIn: readonly ReleaseKey[] = builtInKeys(),
): Promise<readonly ReleaseKey[]> {
  if (file === null) {
    if (builtIn.length === 0) throw new HostError('HOST_RELEASE_NO_KEY', undefined)
    return builtIn
  }
  const refused = (reason: string) => new HostError('HOST_RELEASE_KEY_FILE', { file, reason })
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refused(messageOf(error))
  })
  const key = text.length > MAX_KEY_CHARS ? null : readPublicKey(text)
  if (key === null) throw refused('want a public key of minisign, which begins with RW')
  return [key]
}
