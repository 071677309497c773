// A tuned device: its search and its cooling, which never change the same knobs at the same time.
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { MinerError } from '../errors'
import type { DeviceSnapshot } from '../stats/snapshot'
import type { CardKnobs, CardSettings } from './card-controls'
import type { CardTuner, Standing } from './card-tuner'
import type { Cooling } from './cooling'
import type { TuningProfiles } from './tuning-profiles'
import { type SearchSample, scoreOf, searchable, type Tariff, type TuningGoal, TuningSearch } from './tuning-search'

/** A fan at full speed can be heard and seen after a few seconds. */
const LOCATE_MS = 10_000

interface TunedCardDeps {
  readonly tuner: CardTuner
  readonly profiles: TuningProfiles
  /** null: it pauses when too hot */
  readonly cooling: Cooling | null
  /** wrong results of the device since startup */
  readonly wrongResults: () => number
  /** null: the margin can't be computed */
  readonly tariff: Tariff | null
  readonly clock: Clock
  readonly log: Logger
}

interface SearchState {
  readonly goal: TuningGoal
  readonly search: TuningSearch
  running: boolean
  error: string
}

/** The tuning of one device. */
export class TunedCard {
  /** times it was too hot during the search */
  #heats = 0
  #search: SearchState | null = null
  #stop: AbortController | null = null
  #ended: Promise<void> = Promise.resolve()
  #cooling: Promise<void> | null = null
  #mayCool = true
  /** While it is located: its fan's setting before, and what ends it. */
  #located: { readonly fan: number | null; timer: Disposable } | null = null

  constructor(
    public device: DeviceSnapshot,
    private readonly deps: TunedCardDeps,
  ) {}

  knobs(): Promise<CardKnobs> {
    return this.deps.tuner.knobs()
  }

  settings(): Promise<CardSettings> {
    return this.deps.tuner.settings()
  }

  search() {
    if (this.#search === null) return null
    const { goal, search, running, error } = this.#search
    return {
      goal,
      running,
      steps: search.steps,
      best: Number.isNaN(search.best) ? null : search.best,
      points: search.points,
      error,
    }
  }

  /** Call it once a second. */
  seen(device: DeviceSnapshot): void {
    this.device = device
    const { cooling } = this.deps
    if (cooling === null || !this.#mayCool || this.#cooling !== null) return
    const verdict = cooling.observe(device)
    if (verdict === null) return
    if (this.#search?.running === true) {
      if (verdict === 'harder') this.#heats += 1
      return
    }
    this.#cooling = this.#cool(cooling, verdict).finally(() => {
      this.#cooling = null
    })
  }

  /** At the user's request, for this run. @throws MinerError as CardTuner.set */
  async set(settings: CardSettings): Promise<void> {
    await this.endSearch()
    if (settings.fan !== undefined) this.#forgetLocated()
    this.deps.cooling?.forget()
    await this.deps.tuner.set(settings, 'good')
  }

  /** Resets it to its defaults, or to manual settings. @throws MinerError TUNING_REFUSED */
  async release(): Promise<void> {
    await this.endSearch()
    this.#forgetLocated()
    await this.#cooling
    this.deps.cooling?.forget()
    await this.deps.tuner.release()
  }

  /** Fans at full speed, to find it. @returns for how many ms @throws MinerError TUNING_KNOB_ABSENT and as `set` */
  async locate(): Promise<number> {
    const { tuner, clock } = this.deps
    const knobs = await tuner.knobs()
    const { fan } = knobs
    if (fan === undefined) {
      const has = Object.keys(knobs)
      throw new MinerError('TUNING_KNOB_ABSENT', { pci: tuner.pci, knob: 'fan', has })
    }
    const before = this.#located === null ? ((await tuner.settings()).fan ?? null) : this.#located.fan
    await tuner.set({ fan: fan.most }, this.#fanStanding)
    this.#forgetLocated()
    this.#located = { fan: before, timer: clock.setTimeout(() => void this.#endLocate(fan.most), LOCATE_MS) }
    return LOCATE_MS
  }

  /** What was set meanwhile stays. */
  async #endLocate(most: number): Promise<void> {
    const { tuner, log } = this.deps
    const located = this.#located
    this.#located = null
    if (located === null) return
    try {
      if ((await tuner.settings()).fan === most) await tuner.set({ fan: located.fan }, this.#fanStanding)
    } catch (error: unknown) {
      log.error('GPU settings could not be restored', { device: this.device.index, error: messageOf(error) })
    }
  }

  /** A running search keeps its trial apart. */
  get #fanStanding(): Standing {
    return this.#search?.running === true ? 'trying' : 'good'
  }

  #forgetLocated(): void {
    this.#located?.timer.dispose()
    this.#located = null
  }

  /** @returns false: the profile has none for this model. @throws MinerError TUNING_PROFILE_UNKNOWN and as `set` */
  async apply(profile: string): Promise<boolean> {
    const kept = await this.deps.profiles.read(profile, this.device.name)
    if (kept === null) return false
    await this.set(kept.settings)
    return true
  }

  /** From the last search's result; not at all if that was complete. @throws MinerError TUNING_NO_PRICES */
  async startSearch(goal: TuningGoal): Promise<void> {
    if (goal === 'margin' && this.deps.tariff === null) throw new MinerError('TUNING_NO_PRICES', undefined)
    await this.endSearch()
    const { profiles, log } = this.deps
    const known = (await profiles.names()).includes(goal) ? await profiles.read(goal, this.device.name) : null
    if (known !== null) await this.deps.tuner.set(known.settings, 'good')
    if (known?.finished === true) {
      log.info('GPU set to the best settings of an earlier search', { device: this.device.index, goal })
      return
    }
    const stop = new AbortController()
    const search = new TuningSearch(this.#searchDeps(goal))
    const state: SearchState = { goal, search, running: true, error: '' }
    this.#search = state
    this.#stop = stop
    this.#ended = this.#run(state, stop.signal)
  }

  /** Its result stays. */
  async endSearch(): Promise<void> {
    this.#stop?.abort(new Error('search ended'))
    this.#stop = null
    await this.#ended
  }

  async #run(state: SearchState, signal: AbortSignal): Promise<void> {
    const { tuner, log, profiles } = this.deps
    const { index: device, name } = this.device
    try {
      if (!searchable(await tuner.knobs())) throw new Error('neither its power limit nor a clock can be set')
      state.error = (await state.search.run(signal)) ?? ''
      if (state.error === '')
        await profiles.keep(state.goal, name, { settings: await tuner.settings(), finished: true })
    } catch (error: unknown) {
      if (!signal.aborted) state.error = messageOf(error)
      await tuner.takeBack().catch((refused: unknown) => {
        log.error('GPU settings could not be restored', { device, error: messageOf(refused) })
      })
    }
    state.running = false
    if (state.error !== '') log.warn('tuning ended early', { device, error: state.error })
  }

  #searchDeps(goal: TuningGoal): ConstructorParameters<typeof TuningSearch>[0] {
    const { tuner, clock, log, tariff, profiles } = this.deps
    return {
      tuner,
      clock,
      log,
      device: this.device.index,
      sample: () => this.#sample(),
      score: (rate, watts) => scoreOf(goal, tariff, rate, watts),
      onBetter: (settings) => profiles.keep(goal, this.device.name, { settings, finished: false }),
    }
  }

  #sample(): SearchSample {
    const { hashrate, powerWatts, state, responds, restarts, pauseReasons } = this.device
    const heat = this.#heats + (pauseReasons.includes('Overheating') ? 1 : 0)
    const faults = this.deps.wrongResults() + restarts + heat + (state === 'error' ? 1 : 0)
    return { rate: hashrate.s60, watts: powerWatts, isMining: state === 'mining' && responds, faults }
  }

  async #cool(cooling: Cooling, verdict: 'harder' | 'softer'): Promise<void> {
    const { tuner, log } = this.deps
    const { index: device } = this.device
    try {
      const [knobs, set] = [await tuner.knobs(), await tuner.settings()]
      const next = verdict === 'harder' ? cooling.harder(knobs, set, this.device) : cooling.softer()
      if (next === null) return
      log.info(verdict === 'harder' ? 'cooling device more' : 'cooling device less', { device, ...next })
      await tuner.set(next, 'good')
    } catch (error: unknown) {
      this.#mayCool = false
      log.warn('device cannot be cooled; it pauses when it gets too hot', { device, error: messageOf(error) })
    }
  }
}
