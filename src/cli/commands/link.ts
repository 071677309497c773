// link: the dashboard's address with the running program's token, requested over its local socket.
import { askForLinks } from '../../host/dashboard/owner-socket'
import { HostError } from '../../host/errors'
import type { CliCall } from '../call'
import { EXIT_DONE } from '../exit-codes'
import { dataDirOf } from '../load-config'
import { expectNoWords } from '../words'

/** @throws HostError HOST_NOT_RUNNING, HOST_NOT_OWNER, HOST_NO_ANSWER, HOST_NO_DASHBOARD */
export async function runLink(call: CliCall): Promise<number> {
  const { parsed, world } = call
  expectNoWords(parsed)
  const dir = dataDirOf(call)
  const answer = await askForLinks(dir)
  if (answer.links.length === 0) throw new HostError('HOST_NO_DASHBOARD', { dir })
  if (parsed.json) world.platform.standardOutput(JSON.stringify(answer))
  else for (const link of answer.links) world.platform.standardOutput(link)
  return EXIT_DONE
}
