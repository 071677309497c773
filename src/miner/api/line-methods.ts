// Every authorized method of the line RPC, by name: its access and its answer.
import { hasCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { type PoolUrlOutcome, shownPool } from '../../config/values/pool-url'
import type { NonceLayout } from '../farm/farm'
import type { NoncePlan } from '../farm/job-history'
import type { PoolSource } from '../pool/pool-source'
import type { Controllable } from './control'
import { countOf, flagOf, LineFault, objectOf, refused, textOf } from './line-fault'
import { scramblerInfo, scramblerWish } from './line-scrambler'
import { type MinerDetail, type StatsInput, stat1, statDetail } from './line-stats'
import type { Summary } from './summary'

const LONGEST_PATTERN = 256
const LONGEST_URL = 1_024
const OUT_OF_BOUNDS = 'Index out-of bounds.'

/** The pool list while the miner runs. */
type ManagedPools = Pick<PoolSource, 'pools' | 'setActive' | 'add' | 'remove'>

interface PoolMethodsDeps {
  /** null: only a simulation runs */
  readonly pools: ManagedPools | null
  readonly readUrl: (text: string) => PoolUrlOutcome
  /** Index of the first text that matches the expression, -1 for none; null when it is invalid or takes too long. */
  readonly firstMatch: (pattern: string, texts: readonly string[]) => Promise<number | null>
}

function listPools({ pools }: PoolMethodsDeps): object {
  return (pools?.pools() ?? []).map(({ index, active, url }) => ({ active, index, uri: url.masked }))
}

/** @throws LineFault -32602, -422 */
async function activatePool(params: unknown, deps: PoolMethodsDeps): Promise<true> {
  const given = objectOf(params)
  const index =
    given.index === undefined && given.URI !== undefined
      ? await search(textOf(given, 'URI'), deps)
      : countOf(given, 'index')
  return changed(deps, (pools) => pools.setActive(index))
}

/** @throws LineFault -32602, -422 */
function addPool(params: unknown, deps: PoolMethodsDeps): true {
  const text = textOf(objectOf(params), 'uri')
  const outcome = deps.readUrl(text)
  if ('fault' in outcome || text.length > LONGEST_URL)
    throw refused(`Bad URI : ${shownPool(text.slice(0, LONGEST_URL))}`)
  return changed(deps, (pools) => pools.add(outcome.url))
}

/** @throws LineFault -32602, -422 */
export function removePool(params: unknown, deps: PoolMethodsDeps): true {
  const index = countOf(objectOf(params), 'index')
  return changed(deps, (pools) => pools.remove(index))
}

async function search(pattern: string, { pools, firstMatch }: PoolMethodsDeps): Promise<number> {
  if (pattern.length > LONGEST_PATTERN) throw refused('Invalid expression')
  const urls = (pools?.pools() ?? []).map(({ url }) => url.plain.slice(0, LONGEST_URL))
  const found = await firstMatch(pattern, urls)
  if (found === null) throw refused('Invalid expression')
  if (found < 0) throw refused('Not found.')
  return found
}

function changed({ pools }: PoolMethodsDeps, change: (pools: ManagedPools) => void): true {
  if (pools === null) throw refused('This miner measures only and has no list of pools')
  try {
    change(pools)
    return true
  } catch (error) {
    throw faultOf(error)
  }
}

function faultOf(error: unknown): unknown {
  if (hasCode(error, 'POOL_INDEX')) return refused(OUT_OF_BOUNDS)
  if (hasCode(error, 'POOL_ACTIVE')) return refused("Can't remove active connection")
  if (hasCode(error, 'POOL_SWITCHING')) return refused('Outstanding operations. Retry ...')
  if (hasCode(error, 'POOL_DUPLICATE')) return refused('Already in the list')
  if (hasCode(error, 'POOL_LIST_FULL')) return new LineFault(-422, 'The list of pools is full')
  return error
}

const MAX_VERBOSE = 511

interface LineMiner extends Controllable {
  summary(control: boolean): Summary
  detail(): MinerDetail
  nonces(): NonceLayout
  setNonces(plan: Partial<NoncePlan>): void
  shuffle(): void
}

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
