// Sets one GPU's knobs so that they can always be restored: each change is written to the journal first.
import { messageOf } from '../../base/errors'
import { Mutex } from '../../base/mutex'
import { MinerError } from '../errors'
import { type CardControls, type CardKnobs, type CardSettings, checkSettings, KNOBS, knobsOf } from './card-controls'
import { type JournalEntry, settledOf, type TuningJournal } from './tuning-journal'

/** How long a setting lasts: until the next change, for this run, or until it is reset. */
export type Standing = 'trying' | 'good' | 'standing'

/** The knobs of one GPU with their journal. */
export class CardTuner {
  /** Changes are serialized: a journal couldn't describe two interleaved ones. */
  readonly #turns = new Mutex()

  constructor(
    private readonly controls: CardControls,
    private readonly journal: TuningJournal,
  ) {}

  get pci(): string {
    return this.controls.pci
  }

  knobs(): Promise<CardKnobs> {
    return this.controls.knobs()
  }

  /** This program's current settings. */
  async settings(): Promise<CardSettings> {
    const entry = await this.#entry()
    return entry === null ? {} : { ...entry.standing, ...entry.good, ...entry.trying }
  }

  /** Others stay. @throws MinerError TUNING_KNOB_ABSENT, TUNING_OUT_OF_RANGE, TUNING_REFUSED; all is as before then */
  set(settings: CardSettings, standing: Standing): Promise<void> {
    return this.#turns.run(async () => {
      const knobs = await this.controls.knobs()
      checkSettings(this.pci, settings, knobs)
      const before = (await this.#entry()) ?? emptyEntry(await this.controls.identity(), knobs)
      const own = { ...foundOf(settings, before.found), ...before.own }
      const begun: JournalEntry = { ...before, own, trying: { ...before.trying, ...settings } }
      await this.journal.write(this.pci, begun)
      await this.#turn(settings, begun)
      if (standing !== 'trying') await this.journal.write(this.pci, settled(begun, standing))
    })
  }

  /** The trial was successful. */
  keep(): Promise<void> {
    return this.#turns.run(async () => {
      const entry = await this.#entry()
      if (entry !== null && entry.trying !== null) await this.journal.write(this.pci, settled(entry, 'good'))
    })
  }

  /** Undoes the trial. @throws MinerError TUNING_REFUSED */
  takeBack(): Promise<void> {
    return this.#turns.run(() => this.#restore(true))
  }

  /** To manual settings, else its defaults. @param byHandToo resets those too @throws MinerError TUNING_REFUSED */
  release(byHandToo = false): Promise<void> {
    return this.#turns.run(async () => {
      const entry = await this.#entry()
      if (entry === null) return
      if (byHandToo) await this.journal.write(this.pci, { ...entry, standing: {} })
      await this.#restore(false)
    })
  }

  /** A GPU of another model in the slot was never changed: the journal's entry isn't about it. */
  async #entry(): Promise<JournalEntry | null> {
    const entry = await this.journal.find(this.pci)
    return entry !== null && entry.card === (await this.controls.identity()) ? entry : null
  }

  /** The entry stays until the GPU is restored, so that the next start recovers from a crash in between. */
  async #restore(keepsGood: boolean): Promise<void> {
    const entry = await this.#entry()
    if (entry === null) return
    await this.#setAll(settledOf(entry, keepsGood))
    const good = keepsGood ? entry.good : {}
    const isOwn = knobsOf({ ...entry.standing, ...good }).length === 0
    await this.journal.write(this.pci, isOwn ? null : { ...entry, good, trying: null })
  }

  async #turn(settings: CardSettings, begun: JournalEntry): Promise<void> {
    try {
      await this.#setAll(settings)
    } catch (error) {
      // Half of it may be done. What can't be restored either is left to the next start.
      await this.#restore(true).catch(() => this.journal.write(this.pci, begun))
      throw error
    }
  }

  /** @throws MinerError TUNING_REFUSED */
  async #setAll(settings: CardSettings): Promise<void> {
    for (const knob of KNOBS) {
      const wanted = settings[knob]
      if (wanted === undefined) continue
      try {
        await this.controls.set(knob, wanted)
      } catch (error) {
        const commands = this.controls.commands(settings)
        throw new MinerError('TUNING_REFUSED', { pci: this.pci, reason: messageOf(error), commands }, { cause: error })
      }
    }
  }
}

function emptyEntry(card: string, knobs: CardKnobs): JournalEntry {
  const found = Object.fromEntries(KNOBS.flatMap((knob) => (knobs[knob] ? [[knob, knobs[knob].now]] : [])))
  return { card, found, own: {}, standing: {}, good: {}, trying: null }
}

/** The previous values of the knobs in `settings`. */
function foundOf(settings: CardSettings, found: CardSettings): CardSettings {
  return Object.fromEntries(knobsOf(settings).map((knob) => [knob, found[knob] ?? null]))
}

/** Manual settings take precedence over earlier search results. */
function settled(entry: JournalEntry, standing: 'good' | 'standing'): JournalEntry {
  const { trying } = entry
  if (standing === 'good') return { ...entry, good: { ...entry.good, ...trying }, trying: null }
  const touched = knobsOf(trying ?? {})
  const left = knobsOf(entry.good).filter((knob) => !touched.includes(knob))
  const good = Object.fromEntries(left.map((knob) => [knob, entry.good[knob] ?? null]))
  return { ...entry, good, standing: { ...entry.standing, ...trying }, trying: null }
}
