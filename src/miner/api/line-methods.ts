// Every authorized method of the line RPC, by name: its access and its answer.
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { NonceLayout } from '../farm/farm'
import type { NoncePlan } from '../farm/job-history'
import type { Controllable } from './control'
import { countOf, flagOf, LineFault, objectOf, refused } from './line-fault'
import { activatePool, addPool, listPools, type PoolMethodsDeps, removePool } from './line-pools'
import { scramblerInfo, scramblerWish } from './line-scrambler'
import { type MinerDetail, type StatsInput, stat1, statDetail } from './line-stats'
import type { Summary } from './summary'

const MAX_VERBOSE = 511

/** The part of the miner that the line RPC reads and controls. */
interface LineMiner extends Controllable {
  summary(control: boolean): Summary
  detail(): MinerDetail
  nonces(): NonceLayout
  setNonces(plan: Partial<NoncePlan>): void
  shuffle(): void
}

/** What the methods use. */
interface LineMethodsDeps extends PoolMethodsDeps, Pick<StatsInput, 'hostName' | 'hostMemoryBytes'> {
  readonly miner: LineMiner
  /** Runs the operator's reboot script; false when there is none. */
  readonly reboot: () => Promise<boolean>
  /** @param bits 0..511, a bit mask of what to log */
  readonly setVerbosity: (bits: number) => void
  readonly log: Logger
}

interface Method {
  readonly control: boolean
  readonly run: (params: unknown, deps: LineMethodsDeps) => unknown
}

const METHODS: Readonly<Record<string, Method>> = {
  miner_getstat1: read(({ miner }) => stat1({ summary: miner.summary(false) })),
  miner_getstatdetail: read((deps) => statDetail(statsInput(deps))),
  miner_getconnections: read(listPools),
  miner_getscramblerinfo: read(({ miner }) => scramblerInfo(miner.nonces())),
  miner_setactiveconnection: control(activatePool),
  miner_addconnection: control(addPool),
  miner_removeconnection: control(removePool),
  miner_pausegpu: control(pauseGpu),
  miner_restart: control((_, { miner }) => miner.restart().then(() => true)),
  miner_reboot: control((_, { reboot }) => reboot()),
  miner_shuffle: control((_, { miner }) => {
    miner.shuffle()
    return true
  }),
  miner_setscramblerinfo: control((params, { miner }) => {
    miner.setNonces(scramblerWish(params))
    return true
  }),
  miner_setverbosity: control((params, { setVerbosity }) => {
    const bits = countOf(objectOf(params), 'verbosity')
    if (bits > MAX_VERBOSE) throw refused(`Verbosity out of bounds (0-${MAX_VERBOSE})`)
    setVerbosity(bits)
    return true
  }),
}

/** The methods of one miner. */
export class LineMethods {
  constructor(private readonly deps: LineMethodsDeps) {}

  /**
   * @param mayControl the caller's access
   * @throws LineFault with the code and text of the answer
   */
  async call(method: string, params: unknown, mayControl: boolean): Promise<unknown> {
    const found = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
    if (found === undefined) throw new LineFault(-32601, 'Method not found')
    this.deps.log.debug('line request', { method })
    if (found.control && !mayControl) throw new LineFault(-32601, 'Method not available')
    try {
      return await found.run(params, this.deps)
    } catch (error) {
      if (error instanceof LineFault) throw error
      this.deps.log.error('a line request failed', { method, error: messageOf(error) })
      throw new LineFault(-32603, 'Internal error')
    }
  }
}

function pauseGpu(params: unknown, { miner }: LineMethodsDeps): true {
  const given = objectOf(params)
  const index = countOf(given, 'index')
  const pause = flagOf(given, 'pause')
  if (index >= miner.summary(false).gpus.length) throw refused('Index out of bounds')
  if (pause) miner.pause(index)
  else miner.resume(index)
  return true
}

function statsInput({ miner, hostName, hostMemoryBytes }: LineMethodsDeps): StatsInput {
  return { summary: miner.summary(false), detail: miner.detail(), nonces: miner.nonces(), hostName, hostMemoryBytes }
}

function read(run: (deps: LineMethodsDeps) => unknown): Method {
  return { control: false, run: (_, deps) => run(deps) }
}

function control(run: Method['run']): Method {
  return { control: true, run }
}
