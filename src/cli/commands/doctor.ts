// doctor: what this computer and the program need, what is there, and what to do about the rest. Changes nothing.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../../base/errors'
import { visibleText } from '../../base/language/visible-text'
import { systemClock } from '../../base/time'
import type { ResolvedConfig } from '../../config/resolved-config'
import { HostError } from '../../host/errors'
import { listDevices } from '../../host/miner/device-list'
import { KeyConfinement, keyWorkers } from '../../host/signer/running-vault'
import { placeFacts } from '../../host/system/machine-facts'
import type { CliCall } from '../call'
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes'
import { configOf } from '../load-config'
import { currentOf, withProgram } from '../running-program'
import { untilSignal } from '../stop-signals'
import { depsOf, engineOf } from '../trades-of-call'
import { expectNoWords } from '../words'

const GIB = 2 ** 30
const LITTLE_SPACE = 5 * GIB
const KEY_PROCESS_MS = 15_000

/** `unknown`: it couldn't be found out, which isn't the same as fine. */
interface Check {
  readonly name: string
  readonly state: 'ok' | 'attention' | 'fault' | 'unknown'
  readonly found: string
  /** Empty when nothing has to be done. */
  readonly advice: string
}

/** One line a check, with its advice below. Exits with 1 unless all are `ok` or `attention`. */
export async function runDoctor(call: CliCall): Promise<number> {
  const { parsed, world } = call
  expectNoWords(parsed)
  const checks = await checksOf(call)
  if (parsed.json) world.platform.standardOutput(JSON.stringify(checks))
  else for (const line of checks.flatMap(checkLines)) world.platform.standardOutput(line)
  return checks.every(({ state }) => state === 'ok' || state === 'attention') ? EXIT_DONE : EXIT_FAILED
}

function checkLines({ name, state, found, advice }: Check): readonly string[] {
  return [
    `${state.padEnd(10)}${name.padEnd(12)}${visibleText(found)}`,
    ...(advice === '' ? [] : [`${' '.repeat(22)}-> ${advice}`]),
  ]
}

async function checksOf(call: CliCall): Promise<readonly Check[]> {
  const config = settings(call)
  if ('state' in config) return [config]
  return [
    {
      name: 'settings',
      state: 'ok',
      found: `${config.app.network} network, data in ${config.app.dataDir}`,
      advice: '',
    },
    folderCheck(config.app.dataDir),
    await space(config),
    engine(call, config),
    ...(await devices(call, config)),
    await keys(call, config),
    await running(call),
  ]
}

function settings(call: CliCall): ResolvedConfig | Check {
  try {
    return configOf(call)
  } catch (error) {
    return { name: 'settings', state: 'fault', found: messageOf(error), advice: 'change what the message names' }
  }
}

/** Whether it can be used, or created. */
export function folderCheck(dataDir: string): Check {
  const name = 'data folder'
  const nearest = existing(dataDir)
  if (!statSync(nearest).isDirectory())
    return { name, state: 'fault', found: `${nearest} is not a folder`, advice: 'choose another one with --datadir' }
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK)
    const found = nearest === dataDir ? 'writable' : 'not there yet; the first start creates it'
    return { name, state: 'ok', found, advice: '' }
  } catch (error) {
    const advice = 'run as its owner, or choose another folder with --datadir'
    return { name, state: 'fault', found: messageOf(error), advice }
  }
}

async function space({ app: { dataDir } }: ResolvedConfig): Promise<Check> {
  const name = 'disk'
  const { freeBytes, isNetworkDrive } = await placeFacts(existing(dataDir))
  if (freeBytes === null) return { name, state: 'unknown', found: 'the system does not report free space', advice: '' }
  const found = `${(freeBytes / GIB).toFixed(1)} GiB free${isNetworkDrive === true ? ', on a network drive' : ''}`
  if (freeBytes < LITTLE_SPACE)
    return {
      name,
      state: 'attention',
      found,
      advice: 'the chain needs more: free some space, or move it with --datadir',
    }
  const isSlow = isNetworkDrive === true
  const advice = isSlow ? 'a database on a network drive is slow and may be damaged: use a local disk' : ''
  return { name, state: isSlow ? 'attention' : 'ok', found, advice }
}

/** The path, or the nearest folder above it that is there. */
function existing(path: string): string {
  const above = dirname(path)
  return existsSync(path) || above === path ? path : existing(above)
}

function engine({ world }: CliCall, config: ResolvedConfig): Check {
  const name = 'hashing'
  const found = engineOf(config, world.platform, 'error')
  if (found === null) return { name, state: 'ok', found: 'not needed with these options', advice: '' }
  if (found.kind === 'native') return { name, state: 'ok', found: `native, ${found.simd}`, advice: '' }
  const advice = 'reinstall, or build the addon again (npm run native): mining by CPU is slow until then'
  return { name, state: 'fault', found: `native addon missing: ${found.loadError ?? 'no reason given'}`, advice }
}

async function devices({ world }: CliCall, config: ResolvedConfig): Promise<readonly Check[]> {
  const name = 'devices'
  const deps = depsOf(config, world.platform, 'error')
  try {
    const { devices: all } = await untilSignal(world, (signal) => listDevices(deps, signal))
    const gpus = all.filter(({ backend }) => backend === 'opencl' || backend === 'cuda')
    const blind = gpus.filter(({ sensorFault }) => sensorFault !== '')
    const advice = 'for GPUs install their driver with OpenCL or CUDA, and give this user access to them'
    if (gpus.length === 0) return [{ name, state: 'attention', found: `no GPU, ${all.length} CPU`, advice }]
    return [
      { name, state: 'ok', found: `${gpus.length} GPU: ${gpus.map((gpu) => gpu.name).join(', ')}`, advice: '' },
      ...blind.map(({ index, sensorFault }) => ({
        name: `GPU ${index}`,
        state: 'attention' as const,
        found: `no sensors: ${sensorFault}`,
        advice: 'without them no temperature limit protects this GPU',
      })),
    ]
  } catch (error) {
    return [{ name, state: 'fault', found: messageOf(error), advice: 'change the options for devices' }]
  }
}

/** Starts a key process as the signer does, and ends it. */
async function keys({ world }: CliCall, config: ResolvedConfig): Promise<Check> {
  const name = 'keys'
  const clock = systemClock()
  const confinement = new KeyConfinement()
  const deps = depsOf(config, world.platform, 'error')
  try {
    const transport = keyWorkers(deps, deps.logs.logger, { confinement })()
    const limit = clock.setTimeout(
      () => confinement.tell({ confined: false, reason: `no word from it in ${KEY_PROCESS_MS / 1_000} s` }),
      KEY_PROCESS_MS,
    )
    const { confined, reason } = await confinement.known()
    limit.dispose()
    transport.close()
    if (confined) return { name, state: 'ok', found: 'the key process is confined', advice: '' }
    const advice = 'stored passwords are not used: type them, or allow it with --signer.unconfined'
    return { name, state: 'attention', found: `the key process is not confined: ${reason}`, advice }
  } catch (error) {
    return { name, state: 'fault', found: messageOf(error), advice: 'keys of this network cannot be opened here' }
  }
}

async function running(call: CliCall): Promise<Check> {
  const name = 'program'
  try {
    return await withProgram(call, async (program) => {
      const { version } = await program.client.call('app.info', {})
      const status = await currentOf(program, 'app.status')
      const failed = (status?.services ?? []).filter(({ state }) => state === 'failed')
      if (status === null) return { name, state: 'fault', found: 'running, but it does not answer', advice: '' }
      if (failed.length === 0) return { name, state: 'ok', found: `running, version ${version}`, advice: '' }
      const found = failed.map((service) => `${service.name} failed: ${service.reason}`).join('; ')
      return { name, state: 'fault', found, advice: 'see headframe logs' }
    })
  } catch (error) {
    if (error instanceof HostError && error.code === 'HOST_NOT_RUNNING')
      return { name, state: 'ok', found: 'not running', advice: '' }
    return { name, state: 'fault', found: messageOf(error), advice: 'ask as the user who runs it' }
  }
}
