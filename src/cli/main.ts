// The command line: parses the call, runs its command, and turns the outcome into an exit code.
// Plain Node enters through index.ts; the desktop program calls runCli for everything without a window.
import { parseArgv } from '../config/sources/parse-argv'
import type { CliCall, CliWorld } from './call'
import { exitCodeOf, failureLine } from './exit-codes'

/**
 * Runs one call.
 * @param argv the arguments after `headframe`
 * @returns the exit code; never rejects
 */
export async function runCli(argv: readonly string[], world: CliWorld): Promise<number> {
  try {
    return await runCommand({ argv, parsed: parseArgv(argv), world })
  } catch (error) {
    world.platform.standardError(failureLine(error, argv.includes('--log.json')))
    return exitCodeOf(error)
  }
}

/** Loads a command when it is called: one that only prints needs a tenth of the program. */
async function runCommand(call: CliCall): Promise<number> {
  const { command, help, version, listDevices } = call.parsed
  if (help) return (await import('./commands/show')).runHelp(call)
  if (version) return (await import('./commands/show')).runVersion(call)
  if (listDevices) return (await import('./commands/devices')).runDevices(call)
  switch (command) {
    case 'help':
      return (await import('./commands/show')).runHelp(call)
    case 'version':
      return (await import('./commands/show')).runVersion(call)
    case 'verify':
      return (await import('./commands/verify')).runVerify(call)
    case 'completion':
      return (await import('./commands/show')).runCompletion(call)
    case 'config':
      return (await import('./commands/show')).runConfig(call)
    case 'dumpconfig':
      return (await import('./commands/show')).runDumpConfig(call)
    case 'account':
      return (await import('./commands/account')).runAccount(call)
    case 'rules':
      return (await import('./commands/vault')).runRules(call)
    case 'audit':
      return (await import('./commands/vault')).runAudit(call)
    case 'init':
      return (await import('./commands/blocks')).runInit(call)
    case 'import':
      return (await import('./commands/blocks')).runImport(call)
    case 'export':
      return (await import('./commands/blocks')).runExport(call)
    case 'db':
      return (await import('./commands/db')).runDatabase(call)
    case 'dumpgenesis':
      return (await import('./commands/db')).runDumpGenesis(call)
    case 'removedb':
      return (await import('./commands/db')).runRemoveDatabase(call)
    case 'devices':
      return (await import('./commands/devices')).runDevices(call)
    case 'rigs':
      return (await import('./commands/rigs')).runRigs(call)
    case 'pool':
      return (await import('./commands/pool')).runPool(call)
    case 'tune':
      return (await import('./commands/tune')).runTune(call)
    case 'attach':
      return (await import('./commands/attach')).runAttach(call)
    case 'update':
      return (await import('./commands/update')).runUpdate(call)
    case 'link':
      return (await import('./commands/link')).runLink(call)
    case 'status':
      return (await import('./commands/running')).runStatus(call)
    case 'stop':
      return (await import('./commands/running')).runStop(call)
    case 'logs':
      return (await import('./commands/running')).runLogs(call)
    case 'requests':
      return (await import('./commands/requests')).runRequests(call)
    case 'doctor':
      return (await import('./commands/doctor')).runDoctor(call)
    case 'bench':
      return (await import('./commands/bench')).runBench(call)
    case 'signer':
      return call.parsed.words.length === 0 ? services(call) : (await import('./commands/vault')).runSignerAction(call)
    default:
      return services(call)
  }
}

async function services(call: CliCall): Promise<number> {
  return (await import('./commands/run')).runServices(call)
}
