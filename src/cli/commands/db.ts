// db, dumpgenesis, removedb: the chain database in the data directory while no node is running.
import { systemClock } from '../../base/time'
import { HostError } from '../../host/errors'
import {
  ChainDatabase,
  genesisText,
  type RepairOutcome,
  removeChain,
  type StageOptions,
  type VerifyReport,
} from '../../host/node/chain-database'
import type { CliCall } from '../call'
import { EXIT_DONE, EXIT_FAILED, infoLine } from '../exit-codes'
import { configOf } from '../load-config'
import { Progress } from '../progress'
import { untilSignal } from '../stop-signals'
import { depsOf } from '../trades-of-call'
import { expectNoWords, wordsOf } from '../words'

/** What an action uses. */
interface Work {
  readonly call: CliCall
  readonly database: ChainDatabase
  readonly options: StageOptions
  readonly say: (message: string) => void
  /** What the command is for, on standard output. */
  readonly result: (message: string) => void
}

const ACTIONS = { inspect, stats, verify, compact, repair } as const
const WORDS = { inspect: [], stats: [], verify: [], compact: [], repair: [] } as const

/** `headframe db ACTION` @throws ConfigError, HostError HOST_NO_CHAIN, HOST_DATA_DIR_IN_USE, StoreError */
export async function runDatabase(call: CliCall): Promise<number> {
  const { action } = wordsOf(call.parsed, WORDS)
  return withDatabase(call, (work) => ACTIONS[action](work))
}

/** `headframe dumpgenesis`: the genesis file on standard output. */
export async function runDumpGenesis(call: CliCall): Promise<number> {
  expectNoWords(call.parsed)
  call.world.platform.standardOutput((await genesisText(configOf(call))).trimEnd())
  return EXIT_DONE
}

/** `headframe removedb --yes` */
export async function runRemoveDatabase(call: CliCall): Promise<number> {
  expectNoWords(call.parsed)
  return withDatabase(call, async ({ database, result }) => {
    const { folder } = database
    if (!call.parsed.yes) throw new HostError('HOST_DB_NOT_CONFIRMED', { folder })
    await removeChain(folder)
    result(`${folder} was deleted; keys, settings and your own transactions are unchanged`)
    return EXIT_DONE
  })
}

async function inspect({ call, database, options }: Work): Promise<number> {
  const sizes = await database.inspect(options)
  if (options.signal.aborted) return EXIT_FAILED
  const { standardOutput } = call.world.platform
  if (call.parsed.json) {
    standardOutput(JSON.stringify(sizes))
    return EXIT_DONE
  }
  const total = { kind: 'all', entries: 0, bytes: 0 }
  for (const { entries, bytes } of sizes) {
    total.entries += entries
    total.bytes += bytes
  }
  const width = Math.max(...sizes.map(({ kind }) => kind.length))
  for (const { kind, entries, bytes } of [...sizes, total])
    standardOutput(`${kind.padEnd(width)} ${String(entries).padStart(12)} ${sizeText(bytes).padStart(12)}`)
  return EXIT_DONE
}

async function stats({ call, database }: Work): Promise<number> {
  const text = await database.stats()
  call.world.platform.standardOutput(call.parsed.json ? JSON.stringify({ leveldb: text }) : text)
  return EXIT_DONE
}

async function verify({ call, database, options, say, result }: Work): Promise<number> {
  const report = await database.verify({ ...options, seals: call.parsed.seals })
  if (call.parsed.json) call.world.platform.standardOutput(JSON.stringify(report))
  else tellReport(report, result)
  const limits = call.parsed.seals ? ' but --seals: a block without a proof of work stays as it is' : ''
  const rest = report.complete ? '' : ', and not everything was read'
  if (report.faults > 0)
    say(`${faultsText(report.faults)} found${rest}: run headframe db repair with the same options${limits}`)
  else if (!report.complete) say('stopped by a signal before everything was read')
  return report.faults > 0 || !report.complete ? EXIT_FAILED : EXIT_DONE
}

async function compact({ database, options, result }: Work): Promise<number> {
  await database.compact(options)
  result(
    options.signal.aborted
      ? 'stopped by a signal; what was compacted stays compacted'
      : `${database.folder} was compacted`,
  )
  return options.signal.aborted ? EXIT_FAILED : EXIT_DONE
}

async function repair({ call, database, options, result }: Work): Promise<number> {
  const done = await database.repair(options)
  if (call.parsed.json) call.world.platform.standardOutput(JSON.stringify(done))
  else result(repairText(done))
  return done.kind === 'stopped' ? EXIT_FAILED : EXIT_DONE
}

function repairText(done: RepairOutcome): string {
  if (done.kind === 'stopped') return 'stopped by a signal; run the same command to start again'
  if (done.kind === 'whole') return `nothing to repair: ${wholeText(done.report)}`
  if (done.kind === 'mended') return `repaired in place: ${wholeText(done.report)}`
  const { head, kept, refused } = done.outcome
  const end = refused === null ? '' : ` (${refused})`
  return `rebuilt up to block ${head}${end}; those above come from peers that have them, else they are lost. The damaged database is in ${kept}: delete it when you no longer need it`
}

function tellReport(report: VerifyReport, say: Work['result']): void {
  for (const { where, reason } of report.damage) say(`${where}: ${reason}`)
  const more = report.faults - report.damage.length
  if (more > 0) say(`and ${more} more`)
  if (report.faults === 0 && report.complete) say(`the database is intact: ${wholeText(report)}`)
}

function wholeText({ head, blocks, transactions, accounts, slots, nodes, seals }: VerifyReport): string {
  const work = seals ? ' with their proofs of work' : ''
  return `head ${head}, ${blocks} blocks${work}, ${transactions} transactions, ${accounts} accounts, ${slots} storage slots, ${nodes} trie nodes`
}

function faultsText(count: number): string {
  return count === 1 ? '1 fault' : `${count} faults`
}

function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  for (; value >= 1_000 && unit < units.length - 1; unit++) value /= 1_000
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

async function withDatabase(call: CliCall, work: (work: Work) => Promise<number>): Promise<number> {
  const { world } = call
  const { platform, terminal } = world
  const config = configOf(call)
  const json = config.app.logJson
  const log = depsOf(config, platform, 'error').logs.logger
  const database = new ChainDatabase(config, { projectRoot: platform.projectRoot, log })
  const clock = systemClock()
  const bars = new Map<string, Progress>()
  const onProgress: StageOptions['onProgress'] = ({ stage: name, ...state }) => {
    const known = bars.get(name)
    if (known === undefined) endAll(bars)
    const bar = known ?? new Progress({ name, json, terminal, line: platform.standardError, clock })
    bars.set(name, bar)
    bar.update({ ...state, gas: null })
  }
  const say = (message: string): void => {
    endAll(bars)
    platform.standardError(infoLine(message, json))
  }
  const result = (message: string): void => {
    endAll(bars)
    platform.standardOutput(message)
  }
  try {
    return await untilSignal(world, (signal) =>
      database.alone(() => work({ call, database, options: { signal, onProgress }, say, result })),
    )
  } finally {
    endAll(bars)
  }
}

function endAll(bars: ReadonlyMap<string, Progress>): void {
  for (const bar of bars.values()) bar.end()
}
