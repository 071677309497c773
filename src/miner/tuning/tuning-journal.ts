// GPU settings, written to disk before the GPU is changed: a start after a crash or power cut finds what to restore.
import { z } from 'zod'
import type { Logger } from '../../base/logger'
import { KeptJson } from '../../files/json-file'
import { type CardSettings, settingsSchema } from './card-controls'

const entrySchema = z.object({
  card: z.string().max(256),
  found: settingsSchema,
  own: settingsSchema,
  standing: settingsSchema,
  good: settingsSchema,
  trying: settingsSchema.nullable(),
})
const fileSchema = z.object({ version: z.literal(1), cards: z.record(z.string().max(32), entrySchema) })

/** A GPU that has, or had, non-default settings. */
export interface JournalEntry {
  /** its identity: one GPU's values are never applied to another one in the same slot */
  readonly card: string
  /** all knobs before the first change: changing one may alter what the driver reports for another */
  readonly found: CardSettings
  /** original value of each knob changed since */
  readonly own: CardSettings
  /** set manually, until reset */
  readonly standing: CardSettings
  /** proven by this run or the last one */
  readonly good: CardSettings
  /** being set or tried, possibly half done; null: nothing */
  readonly trying: CardSettings | null
}

/** The journal's file. */
export class TuningJournal {
  readonly #file: KeptJson<z.infer<typeof fileSchema>>
  #cards: Promise<Map<string, JournalEntry>> | null = null

  /** @param file absolute */
  constructor(file: string, log: Logger) {
    this.#file = new KeptJson(file, fileSchema, { log })
  }

  /** By PCI address. */
  async all(): Promise<ReadonlyMap<string, JournalEntry>> {
    return this.#load()
  }

  async find(pci: string): Promise<JournalEntry | null> {
    return (await this.#load()).get(pci) ?? null
  }

  /** On disk when it resolves; null removes the entry. @throws Error of the file system: don't change the GPU then */
  async write(pci: string, entry: JournalEntry | null): Promise<void> {
    const cards = await this.#load()
    const before = cards.get(pci)
    if (entry === null) cards.delete(pci)
    else cards.set(pci, entry)
    try {
      await this.#file.save({ version: 1, cards: Object.fromEntries(cards) })
    } catch (error) {
      if (before === undefined) cards.delete(pci)
      else cards.set(pci, before)
      throw error
    }
  }

  #load(): Promise<Map<string, JournalEntry>> {
    this.#cards ??= this.#file.load().then((read) => new Map(Object.entries(read?.cards ?? {})))
    return this.#cards
  }
}

/**
 * A GPU's settings without the trial.
 * @param keepsGood includes proven settings as well as manual ones
 */
export function settledOf(entry: JournalEntry, keepsGood: boolean): CardSettings {
  return { ...entry.own, ...entry.standing, ...(keepsGood ? entry.good : {}) }
}
