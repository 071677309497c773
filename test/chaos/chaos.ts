// A chaos run: the real program mines for a pool, follows a chain and signs payments while it is killed, starved,
// deceived about the time and given damaged files; or while a week passes on its clock. Its answers must all be true in
// the end.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checksumAddress } from '../../src/base/checksum-address'
import { toHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { madeGenesis, rich } from '../node/made-blocks'
import { dice } from '../node/p2p-network'
import { command, mustDo } from './commands'
import { booksOf, Counterparts } from './counterparts'
import { type Damage, type Spoiled, spoil } from './damage'
import { SmallDisk } from './disk'
import { type ChaosReport, type MemorySample, median, memoryOf } from './figures'
import { Interference } from './interference'
import { fillLog, logOf, programArguments } from './program-arguments'
import { reckon } from './reckoning'
import { spoilFiles } from './sabotage'
import { type ChaosEvent, chaosScript, eventName, type PlannedEvent } from './script'
import { Victim } from './victim'
import { Wallet } from './wallet'

export interface ChaosOptions {
  readonly folder: string
  readonly seed: number
  readonly lengthMs: number
  /** The project's entry program. */
  readonly door: string
  /** `week`: seven days pass on the program's clock; `sabotage`: what is guarded is broken, and has to be found. */
  readonly kind: 'chaos' | 'week' | 'sabotage'
  readonly tell: (line: string) => void
}

const PASSWORD = 'a password for chaos'
const TOKEN = 'token-of-a-chaos-run'
const LOOK_MS = 1_000
const CLOCK_MS = 10_000
/** How long an answer of the pool may take: a suspension, and the timeout of a response. */
const ON_ITS_WAY_MS = 45_000
const SHOWN = 400
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

const sleep = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms))

/** @throws Error if it can't be continued; the report contains what is merely wrong */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const disk = SmallDisk.mount(join(options.folder, 'disk'))
  if (disk === null) options.tell('no small disk: only root may mount one, so no disk fills up in this run')
  try {
    const chaos = await Chaos.prepare(options, disk)
    try {
      return await chaos.run()
    } finally {
      await chaos.end()
    }
  } finally {
    disk?.unmount()
  }
}

/** The parts of a run. */
interface Parts {
  /** Null if none can be created. */
  readonly disk: SmallDisk | null
  readonly datadir: string
  readonly victim: Victim
  readonly others: Counterparts
  readonly interference: Interference
}

class Chaos {
  readonly #samples: MemorySample[] = []
  readonly #faults: string[] = []
  readonly #events = new Map<string, number>()
  readonly #startMs: number[] = []
  /** When how many shares were judged. */
  readonly #judged: { readonly atMs: number; readonly count: number }[] = []
  readonly #from = performance.now()
  readonly #wallet: Wallet
  #connectionsBefore = 0
  #refused = 0
  #verified = 0
  #repairs = 0
  /** A damaged chain that started anyway. */
  #isSuspect = false
  #isOver = false

  private constructor(
    private readonly options: ChaosOptions,
    private readonly parts: Parts,
  ) {
    const { victim } = parts
    const from = checksumAddress(toHex(rich.address))
    this.#wallet = new Wallet({ victim, from, password: PASSWORD, fault: (text) => this.#fault(text) })
  }

  static async prepare(options: ChaosOptions, disk: SmallDisk | null): Promise<Chaos> {
    const { folder, door } = options
    const datadir = join(disk?.folder ?? folder, 'data')
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text, { mode: 0o600 })
      return join(folder, name)
    }
    mkdirSync(join(folder, 'aside'))
    mkdirSync(datadir, { recursive: true })
    const passwords = file('passwords', `${PASSWORD}\n`)
    const key = file('key', toHex(keccak256(Uint8Array.of(1))).slice(2))
    await mustDo(door, ['account', 'import', key, '--datadir', datadir, '--password', passwords, '--signer.lightkdf'])
    writeFileSync(join(datadir, 'config.toml'), '[miner]\ncpu-threads = 1\n')
    const others = await Counterparts.start(folder)
    const isWeek = options.kind === 'week'
    if (isWeek) fillLog(datadir)
    const rate = isWeek ? WEEK_MS / options.lengthMs : 1
    const interference = new Interference(folder, { rate, isSabotaged: options.kind === 'sabotage' })
    const tokenFile = file('token', `${TOKEN}\n`)
    const genesis = file('genesis.json', madeGenesis())
    const args = programArguments({ datadir, genesis, tokenFile, poolUrl: others.poolUrl }, isWeek)
    const victim = new Victim({ door, args, datadir, token: TOKEN, interference })
    return new Chaos(options, { disk, datadir, victim, others, interference })
  }

  async run(): Promise<ChaosReport> {
    const { seed, lengthMs, kind } = this.options
    const script = chaosScript({ seed, lengthMs, hasDisk: this.parts.disk !== null, isWeek: kind === 'week' })
    await this.#begin(null)
    this.#wallet.start()
    const watching = this.#watch()
    for (const planned of script) {
      await sleep(Math.max(0, planned.atMs - this.#now()))
      await this.#happen(planned)
    }
    await sleep(Math.max(0, lengthMs - this.#now()))
    this.#isOver = true
    await watching
    return this.#reckoning()
  }

  async end(): Promise<void> {
    await this.parts.victim.kill()
    await this.parts.others.stop()
  }

  #now(): number {
    return performance.now() - this.#from
  }

  #tell(line: string): void {
    this.options.tell(`${(this.#now() / 1000).toFixed(0).padStart(5)} s  ${line}`)
  }

  #fault(text: string): void {
    this.#faults.push(text)
    this.#tell(`FAULT ${text}`)
  }

  async #happen({ event, seed }: PlannedEvent): Promise<void> {
    const name = eventName(event)
    this.#events.set(event.kind, (this.#events.get(event.kind) ?? 0) + 1)
    this.#tell(name)
    if (!this.parts.victim.isRunning) {
      this.#fault(`it ended by itself before "${name}": ${lastLines(this.parts.victim.output)}`)
      await this.#begin(null)
    }
    await this.#inflict(event, dice(seed))
  }

  async #inflict(event: ChaosEvent, roll: (limit: number) => number): Promise<void> {
    const { victim, others, disk } = this.parts
    switch (event.kind) {
      case 'kill':
        await victim.kill()
        await this.#verify()
        await this.#begin(null)
        return
      case 'damage':
        await victim.kill()
        await this.#verify()
        await this.#begin(this.#spoil(event.file, roll))
        return
      case 'stop': {
        const code = await victim.stop()
        if (code !== 0) this.#fault(`SIGTERM ended it with ${code}: ${lastLines(victim.output)}`)
        await this.#begin(null)
        return
      }
      case 'epoch':
        others.nextEpoch()
        return
      case 'worker':
        victim.endWorker(event.entry)
        return
      case 'suspend':
        await victim.suspend(event.ms)
        return
      case 'clock':
        this.parts.interference.setClock(event.stepMs)
        await sleep(CLOCK_MS)
        this.parts.interference.setClock(0)
        return
      case 'disk low':
      case 'disk full':
        if (event.kind === 'disk low') disk?.low()
        else disk?.full()
        await sleep(event.ms)
        disk?.roomy()
        return
      case 'pool cut':
        others.pool.drop()
        return
      case 'pool away':
        others.pool.faults = { closeOnConnect: true }
        others.pool.drop()
        await sleep(event.ms)
        others.pool.faults = {}
        return
      case 'pool mute':
        others.pool.faults = { muteSubmit: true }
        await sleep(event.ms)
        others.pool.faults = {}
        return
      case 'peer away':
        await others.peerAway()
        await sleep(event.ms)
        await others.peerBack()
    }
  }

  #spoil(file: Parameters<typeof spoil>[0], roll: (limit: number) => number): Spoiled | null {
    const where = { datadir: this.parts.datadir, aside: join(this.options.folder, 'aside') }
    const spoiled = spoil(file, where, roll)
    this.#tell(spoiled === null ? `there is no ${file} to spoil` : `${spoiled.name}: ${spoiled.way}`)
    return spoiled
  }

  /** Starts a new run of the program. @throws Error when it fails to start */
  async #begin(spoiled: Spoiled | null): Promise<void> {
    this.#connectionsBefore = this.parts.others.pool.connections
    const from = performance.now()
    const said = await this.parts.victim.start()
    if (said !== null) {
      await this.#cure(said, spoiled)
      const again = await this.parts.victim.start()
      if (again !== null) throw new Error(`it cannot be started any more: ${lastLines(again)}`)
    } else if (spoiled !== null) this.#isSuspect ||= spoiled.damage.cure === 'repair'
    this.#startMs.push(performance.now() - from)
    if (spoiled?.damage.isRestored === true) spoiled.restore()
    await this.parts.others.meet(this.parts.victim)
    await this.#wallet.afterStart(spoiled?.name !== 'transactions.journal')
  }

  /** What its owner does after reading why it didn't start. */
  async #cure(said: string, spoiled: Spoiled | null): Promise<void> {
    this.#refused += 1
    this.#tell(`did not start: ${lastLines(said)}`)
    if (spoiled === null) {
      this.#fault(`it does not start though no file was spoiled: ${lastLines(said)}`)
      return
    }
    const { damage, name } = spoiled
    if (/^\s+at /m.test(said) || !namesIt(said, damage, name))
      this.#fault(`what it says of ${name} (${spoiled.way}) is no help: ${lastLines(said)}`)
    if (damage.cure === 'repair') await this.#repair()
    else spoiled.restore()
  }

  async #verify(): Promise<void> {
    const { code, stdout, stderr } = await command(this.options.door, ['db', 'verify', '--datadir', this.parts.datadir])
    this.#verified += 1
    if (code === 0) return
    if (!this.#isSuspect) this.#fault(`db verify ended with ${code}: ${lastLines(stdout + stderr)}`)
    await this.#repair()
  }

  async #repair(): Promise<void> {
    this.#isSuspect = false
    this.#repairs += 1
    const said = await mustDo(this.options.door, ['db', 'repair', '--datadir', this.parts.datadir])
    this.#tell(`repaired: ${lastLines(said)}`)
  }

  /** Checks memory and shares each second until the run is over. */
  async #watch(): Promise<void> {
    while (!this.#isOver) {
      await sleep(LOOK_MS)
      const look = this.parts.victim.look()
      if (look !== null) this.#samples.push({ atMs: this.#now(), ...look })
      await this.#compareShares()
    }
  }

  async #compareShares(): Promise<void> {
    const { victim, others } = this.parts
    const [lives, before, from] = [victim.lives, this.#connectionsBefore, this.#now()]
    this.#judged.push({ atMs: from, count: others.pool.judged.length })
    const recent = this.#judged.filter(({ atMs }) => atMs < from - ON_ITS_WAY_MS).at(-1)?.count ?? 0
    const earlier = booksOf(others.pool.judged, before, recent)
    try {
      const { accepted, lost, failed } = await victim.shares()
      if (victim.lives !== lives) return
      const { taken } = booksOf(others.pool.judged, before, recent)
      if (failed > 0) this.#fault(`${failed} wrong results of the processor`)
      if (accepted > taken) this.#fault(`it counts ${accepted} shares, the pool took ${taken}`)
      if (accepted + lost < earlier.taken - earlier.takenJustNow)
        this.#fault(`the pool took ${earlier.taken} shares, it counts ${accepted} and ${lost} lost`)
    } catch {
      // not there, or suspended: the next check
    }
  }

  async #reckoning(): Promise<ChaosReport> {
    const { seed, lengthMs, door } = this.options
    const { victim, others, datadir } = this.parts
    const code = await victim.stop()
    if (code !== 0) this.#fault(`the last SIGTERM ended it with ${code}: ${lastLines(victim.output)}`)
    await this.#verify()
    await this.#begin(null)
    const passwordFile = join(this.options.folder, 'passwords')
    const fault = (text: string): void => this.#fault(text)
    const connectionsBefore = this.#connectionsBefore
    const afterLastStop = (): void => {
      if (this.options.kind === 'sabotage') spoilFiles(datadir, (line) => this.#tell(line))
    }
    const parts = { victim, others, wallet: this.#wallet, door, datadir, passwordFile, connectionsBefore, fault }
    const end = await reckon({ ...parts, afterLastStop })
    const log = logOf(datadir, this.options.kind === 'week' ? fault : null)
    return {
      ...end,
      seed,
      lengthMs,
      events: this.#events,
      starts: {
        count: this.#startMs.length,
        medianMs: median(this.#startMs),
        maxMs: Math.max(...this.#startMs),
        refused: this.#refused,
      },
      chain: { ...end.chain, verified: this.#verified + 1, repairs: this.#repairs },
      memory: memoryOf(this.#samples, lengthMs),
      days: this.parts.interference.passedMs / DAY_MS,
      log,
      faults: this.#faults,
    }
  }
}

function namesIt(said: string, { cure }: Damage, name: string): boolean {
  return cure === 'repair' ? said.includes('db repair') : said.includes(name)
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' / ').slice(-SHOWN)
}
