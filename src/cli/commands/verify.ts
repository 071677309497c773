// headframe verify FILE: whether a release key signed a downloaded package. No network, no data directory.
import { basename } from 'node:path'
import { requireFile } from '../../host/release/regular-file'
import { releaseKeys } from '../../host/release/release-keys'
import { verifyRelease } from '../../host/release/verify-release'
import type { CliCall } from '../call'
import { EXIT_DONE } from '../exit-codes'
import { fileWords } from '../words'

/** @throws ConfigError, HostError HOST_RELEASE_... */
export async function runVerify({ parsed, world }: CliCall): Promise<number> {
  const [file = ''] = fileWords(parsed, { least: 1, most: 1, accepted: 'FILE' })
  const { version: running, standardOutput } = world.platform
  await requireFile(file)
  const keys = await releaseKeys(parsed.key)
  const found = await verifyRelease({ file, keys, notOlderThan: parsed.older ? null : running })
  const date = new Date(found.releasedAt).toISOString().slice(0, 10)
  standardOutput(
    parsed.json
      ? JSON.stringify({ file, ...found })
      : `${basename(file)}: complete and genuine. Headframe ${found.version} of ${date}, signed by key ${found.keyId}`,
  )
  return EXIT_DONE
}
