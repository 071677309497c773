// The command line: parses the call, runs its command, and turns the outcome into an exit code.
// Plain Node enters through index.ts; the desktop program calls runCli for everything without a window.
import { parseArgv } from '../config/sources/parse-argv'
import type { CliCall, CliWorld } from './call'
import { runAccount } from './commands/account'
import { runAttach } from './commands/attach'
import { runBench } from './commands/bench'
import { runExport, runImport, runInit } from './commands/blocks'
import { runDatabase, runDumpGenesis, runRemoveDatabase } from './commands/db'
import { runDevices } from './commands/devices'
import { runLink } from './commands/link'
import { runRigs } from './commands/rigs'
import { runServices } from './commands/run'
import { runCompletion, runConfig, runDumpConfig, runHelp, runVersion } from './commands/show'
import { runTune } from './commands/tune'
import { runUpdate } from './commands/update'
import { runAudit, runRules, runSignerAction } from './commands/vault'
import { runVerify } from './commands/verify'
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

async function runCommand(call: CliCall): Promise<number> {
  const { command, help, version, listDevices } = call.parsed
  if (help) return runHelp(call)
  if (version) return runVersion(call)
  if (listDevices) return runDevices(call)
  switch (command) {
    case 'help':
      return runHelp(call)
    case 'version':
      return runVersion(call)
    case 'verify':
      return runVerify(call)
    case 'completion':
      return runCompletion(call)
    case 'config':
      return runConfig(call)
    case 'dumpconfig':
      return runDumpConfig(call)
    case 'account':
      return runAccount(call)
    case 'rules':
      return runRules(call)
    case 'audit':
      return runAudit(call)
    case 'init':
      return runInit(call)
    case 'import':
      return runImport(call)
    case 'export':
      return runExport(call)
    case 'db':
      return runDatabase(call)
    case 'dumpgenesis':
      return runDumpGenesis(call)
    case 'removedb':
      return runRemoveDatabase(call)
    case 'devices':
      return runDevices(call)
    case 'rigs':
      return runRigs(call)
    case 'tune':
      return runTune(call)
    case 'attach':
      return runAttach(call)
    case 'update':
      return runUpdate(call)
    case 'link':
      return runLink(call)
    case 'bench':
      return runBench(call)
    case 'signer':
      return call.parsed.words.length === 0 ? runServices(call) : runSignerAction(call)
    default:
      return runServices(call)
  }
}
