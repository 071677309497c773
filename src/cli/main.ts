// The command line: parses the call, runs its command, and makes an exit code of the outcome; for Node and Electron.
import type { CommandName } from '../config/schema'
import { parseArgv } from '../config/sources/parse-argv'
import type { CliCall, CliWorld } from './call'
import { asksForJson, exitCodeOf, failureLine } from './exit-codes'

/** Runs one call; never rejects. @param argv the arguments after `headframe` @returns the exit code */
export async function runCli(argv: readonly string[], world: CliWorld): Promise<number> {
  try {
    return await runCommand({ argv, parsed: parseArgv(argv), world })
  } catch (error) {
    world.platform.standardError(failureLine(error, asksForJson(argv, world.surroundings.environment)))
    return exitCodeOf(error)
  }
}

/** Each loads its module when it is called: a command that only prints needs a tenth of the program. */
const RUNNERS: Readonly<Record<CommandName, (call: CliCall) => Promise<number>>> = {
  run: services,
  node: services,
  miner: services,
  help: async (call) => (await import('./commands/show')).runHelp(call),
  version: async (call) => (await import('./commands/show')).runVersion(call),
  verify: async (call) => (await import('./commands/verify')).runVerify(call),
  completion: async (call) => (await import('./commands/show')).runCompletion(call),
  config: async (call) => (await import('./commands/show')).runConfig(call),
  dumpconfig: async (call) => (await import('./commands/show')).runDumpConfig(call),
  account: async (call) => (await import('./commands/account')).runAccount(call),
  rules: async (call) => (await import('./commands/vault')).runRules(call),
  audit: async (call) => (await import('./commands/vault')).runAudit(call),
  init: async (call) => (await import('./commands/blocks')).runInit(call),
  import: async (call) => (await import('./commands/blocks')).runImport(call),
  export: async (call) => (await import('./commands/blocks')).runExport(call),
  db: async (call) => (await import('./commands/db')).runDatabase(call),
  dumpgenesis: async (call) => (await import('./commands/db')).runDumpGenesis(call),
  removedb: async (call) => (await import('./commands/db')).runRemoveDatabase(call),
  devices: async (call) => (await import('./commands/devices')).runDevices(call),
  rigs: async (call) => (await import('./commands/rigs')).runRigs(call),
  pool: async (call) => (await import('./commands/pool')).runPool(call),
  tune: async (call) => (await import('./commands/tune')).runTune(call),
  attach: async (call) => (await import('./commands/attach')).runAttach(call),
  update: async (call) => (await import('./commands/update')).runUpdate(call),
  link: async (call) => (await import('./commands/link')).runLink(call),
  status: async (call) => (await import('./commands/running')).runStatus(call),
  stop: async (call) => (await import('./commands/running')).runStop(call),
  logs: async (call) => (await import('./commands/running')).runLogs(call),
  requests: async (call) => (await import('./commands/requests')).runRequests(call),
  send: async (call) => (await import('./commands/send')).runSend(call),
  doctor: async (call) => (await import('./commands/doctor')).runDoctor(call),
  bench: async (call) => (await import('./commands/bench')).runBench(call),
  signer: async (call) =>
    call.parsed.words.length === 0 ? services(call) : (await import('./commands/vault')).runSignerAction(call),
}

async function runCommand(call: CliCall): Promise<number> {
  const { command, help, version, 'list-devices': isList } = call.parsed
  if (help) return RUNNERS.help(call)
  if (version) return RUNNERS.version(call)
  return isList ? RUNNERS.devices(call) : RUNNERS[command](call)
}

async function services(call: CliCall): Promise<number> {
  return (await import('./commands/run')).runServices(call)
}
