// link: the dashboard's address with the running program's token, requested over its local socket.
import { resolveConfig } from '../../config/resolve'
import { askForLinks } from '../../host/dashboard/owner-socket'
import { HostError } from '../../host/errors'
import type { CliCall } from '../call'
import { EXIT_DONE } from '../exit-codes'
import { expectNoWords } from '../words'

/** @throws HostError HOST_NOT_RUNNING, HOST_NOT_OWNER, HOST_NO_ANSWER, HOST_NO_DASHBOARD */
export async function runLink({ argv, parsed, world }: CliCall): Promise<number> {
  expectNoWords(parsed)
  const { surroundings, platform } = world
  // No file says where the data directory is, and another user may not read its files.
  const { dataDir } = resolveConfig({ argv, surroundings, windowless: true, readFile: () => ({ missing: true }) }).app
  const answer = await askForLinks(dataDir)
  if (answer.links.length === 0) throw new HostError('HOST_NO_DASHBOARD', { dir: dataDir })
  if (parsed.json) platform.standardOutput(JSON.stringify(answer))
  else for (const link of answer.links) platform.standardOutput(link)
  return EXIT_DONE
}
