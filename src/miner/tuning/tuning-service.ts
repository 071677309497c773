// Tuning of the miner's GPUs: recovers from a crash, applies requested settings, and restores every GPU at the end.
import { messageOf } from '../../base/errors'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { Mutex } from '../../base/mutex'
import { type Clock, within } from '../../base/time'
import { MinerError } from '../errors'
import type { MinerService } from '../miner-service'
import type { DeviceSnapshot } from '../stats/snapshot'
import type { CardControls, CardKnobs, CardSettings } from './card-controls'
import { CardTuner } from './card-tuner'
import { Cooling } from './cooling'
import { TunedCard } from './tuned-card'
import { TuningJournal } from './tuning-journal'
import { TuningProfiles } from './tuning-profiles'
import type { Tariff, TuningGoal } from './tuning-search'

/** More than a computer has slots for. */
const MAX_CARDS = 64
/** How often a tuned GPU that was absent is looked for. */
const ABSENT_MS = 60_000
/** A hanging driver doesn't delay reads for longer. */
const LOOK_LIMIT_MS = 5_000

/** The tuning options. */
export interface TuningOptions {
  /** absolute */
  readonly journalFile: string
  /** absolute */
  readonly profilesFile: string
  /** applied at startup; null: none */
  readonly profile: string | null
  /** searched from startup on; null: nothing */
  readonly goal: TuningGoal | null
  /** null: the margin can't be computed */
  readonly tariff: Tariff | null
  /** °C at which GPUs are cooled; null: they pause instead */
  readonly coolAt: number | null
}

interface TuningDeps {
  readonly miner: Pick<MinerService, 'events' | 'devices' | 'outcomes'>
  readonly cards: { of(pci: string): Promise<CardControls | null> }
  readonly clock: Clock
  readonly log: Logger
}

/** A GPU for display. */
export interface TuningView {
  readonly device: number
  readonly pci: string
  readonly name: string
  readonly knobs: CardKnobs
  /** by this program */
  readonly set: CardSettings
  readonly search: ReturnType<TunedCard['search']>
}

/** Tunes all GPUs of the miner. */
export class TuningService implements Service {
  readonly name = 'tuning'
  readonly #journal: TuningJournal
  readonly #profiles: TuningProfiles
  #cards = new Map<string, Promise<TunedCard | null>>()
  /** Those of `#cards` that are present, by device. */
  #tuned = new Map<number, TunedCard>()
  /** GPUs that an earlier run tuned and that weren't there since startup */
  readonly #absent = new Set<string>()
  readonly #restores = new Mutex()
  readonly #taken = new Disposables()
  #begun: Promise<void> = Promise.resolve()
  #stopping = false

  constructor(
    private readonly options: TuningOptions,
    private readonly deps: TuningDeps,
  ) {
    this.#journal = new TuningJournal(options.journalFile, deps.log)
    this.#profiles = new TuningProfiles(options.profilesFile, deps.log)
  }

  /** Returns immediately: a hanging driver doesn't delay the start. */
  async start(): Promise<void> {
    this.#stopping = false
    this.#taken.add(this.deps.miner.events.on('devicesChanged', (devices) => this.#seen(devices)))
    this.#taken.add(
      this.deps.clock.setInterval(() => {
        for (const pci of this.#absent) void this.#restore(pci)
      }, ABSENT_MS),
    )
    this.#begun = this.#begin()
  }

  /** PCI addresses of tuned GPUs that weren't there since startup: they are restored once they are. */
  get absent(): readonly string[] {
    return [...this.#absent]
  }

  /** Never fails because of a GPU: failures are logged, with the commands for a privileged user. */
  async #begin(): Promise<void> {
    const { profile, goal, coolAt } = this.options
    for (const pci of (await this.#journal.all()).keys()) await this.#restore(pci)
    if (profile === null && goal === null && coolAt === null) return
    for (const device of this.deps.miner.devices()) {
      if (this.#stopping) return
      try {
        const card = await this.#card(device)
        if (card === null) continue
        if (profile !== null && !(await card.apply(profile)))
          this.deps.log.warn('tuning profile has no settings for this GPU', { device: device.index, name: device.name })
        if (goal !== null) await card.startSearch(goal)
      } catch (error: unknown) {
        this.deps.log.error('GPU could not be tuned', { device: device.index, error: messageOf(error) })
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#taken.dispose()
    await this.#begun
    const cards = [...this.#tuned.values()]
    this.#cards = new Map()
    this.#tuned = new Map()
    await Promise.all(
      cards.map(async (card) => {
        try {
          await card.release()
        } catch (error: unknown) {
          this.deps.log.error('GPU settings could not be restored', { error: messageOf(error) })
        }
      }),
    )
  }

  /** GPUs with settable knobs, in device order; a lost one, or one whose driver hangs, is skipped. */
  async cards(): Promise<readonly TuningView[]> {
    const views = await Promise.all(
      this.deps.miner
        .devices()
        .slice(0, MAX_CARDS)
        .map((device) => this.#view(device)),
    )
    return views.filter((view) => view !== null)
  }

  /** Null for a device without settable knobs or that doesn't exist. @param device index */
  async find(device: number): Promise<TuningView | null> {
    const known = this.deps.miner.devices()[device]
    return known === undefined ? null : this.#view(known)
  }

  get hasTariff(): boolean {
    return this.options.tariff !== null
  }

  async #view(device: DeviceSnapshot): Promise<TuningView | null> {
    let view: TuningView | null = null
    const look = async (): Promise<void> => {
      const card = await this.#card(device)
      if (card === null) return
      const { index, pci, name } = card.device
      const [knobs, set] = [await card.knobs(), await card.settings()]
      view = { device: index, pci, name, knobs, set, search: card.search() }
    }
    try {
      await within(look(), LOOK_LIMIT_MS, this.deps.clock)
    } catch (error: unknown) {
      this.deps.log.debug('card cannot be looked at', { device: device.index, error: messageOf(error) })
    }
    return view
  }

  /** Until the miner stops. @param device index. @throws MinerError TUNING_CARD_UNKNOWN and as CardTuner.set */
  async set(device: number, settings: CardSettings): Promise<void> {
    await (await this.#cardOf(device)).set(settings)
  }

  /** @returns for how many ms its fans run at full speed @throws MinerError TUNING_CARD_UNKNOWN, as TunedCard.locate */
  async locate(device: number): Promise<number> {
    return (await this.#cardOf(device)).locate()
  }

  /** @throws MinerError TUNING_CARD_UNKNOWN, TUNING_REFUSED */
  async release(device: number): Promise<void> {
    await (await this.#cardOf(device)).release()
  }

  /** @param goal null: stops the search; its result stays. @throws MinerError TUNING_CARD_UNKNOWN, TUNING_NO_PRICES */
  async search(device: number, goal: TuningGoal | null): Promise<void> {
    const card = await this.#cardOf(device)
    await (goal === null ? card.endSearch() : card.startSearch(goal))
  }

  /** Undoes what an earlier run left behind; at startup, or once the GPU is back. */
  #restore(pci: string): Promise<void> {
    const wasAbsent = this.#absent.has(pci)
    return this.#restores.run(async () => {
      if (wasAbsent && !this.#absent.has(pci)) return
      const { cards, log } = this.deps
      try {
        const controls = await cards.of(pci)
        if (controls === null) {
          if (!wasAbsent) log.warn('a tuned GPU is absent: its settings are restored once it is back', { pci })
          this.#absent.add(pci)
          return
        }
        if ((await this.#journal.find(pci))?.card !== (await controls.identity())) {
          log.info('a different GPU is in the slot of a tuned one', { pci })
          await this.#journal.write(pci, null)
        } else {
          await new CardTuner(controls, this.#journal).release()
          log.info('GPU settings restored', { pci })
        }
      } catch (error: unknown) {
        log.error('GPU settings could not be restored', { pci, error: messageOf(error) })
      }
      this.#absent.delete(pci)
    })
  }

  #seen(devices: readonly DeviceSnapshot[]): void {
    for (const device of devices) this.#tuned.get(device.index)?.seen(device)
  }

  async #cardOf(index: number): Promise<TunedCard> {
    const device = this.deps.miner.devices()[index]
    await this.#begun
    const card = device === undefined ? null : await this.#card(device)
    if (card !== null) return card
    const known = (await this.cards()).map((view) => String(view.device))
    throw new MinerError('TUNING_CARD_UNKNOWN', { card: String(index), known })
  }

  /** Queried once per device; null when it has no knobs. */
  #card(device: DeviceSnapshot): Promise<TunedCard | null> {
    const { pci, index } = device
    const known = this.#cards.get(pci) ?? this.#open(device)
    this.#cards.set(pci, known)
    const forget = (): boolean => this.#cards.delete(pci) // it may be back when asked next
    known.then((card) => card === null && this.#absent.has(pci) && forget(), forget)
    return known.then((card) => (card?.device.index === index ? card : null))
  }

  async #open(device: DeviceSnapshot): Promise<TunedCard | null> {
    const { cards, clock, log, miner } = this.deps
    const { coolAt, tariff } = this.options
    if (this.#absent.has(device.pci)) await this.#restore(device.pci)
    const controls = await cards.of(device.pci)
    if (controls === null) return null
    const card = new TunedCard(device, {
      tuner: new CardTuner(controls, this.#journal),
      profiles: this.#profiles,
      cooling: coolAt === null ? null : new Cooling(coolAt),
      wrongResults: () => miner.outcomes(device.index).failed,
      tariff,
      clock,
      log,
    })
    this.#tuned.set(device.index, card)
    return card
  }
}
