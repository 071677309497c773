// GPU settings, written to disk before the GPU is changed: a start after a crash or power cut finds what to restore.
import { z } from 'zod'
import type { Logger } from '../../base/logger'
import { KeptJson } from '../../files/json-file'
import { type CardSettings, settingsSchema } from './card-controls'

const entrySchema = z.object({
  /** its identity: one GPU's values are never applied to another one in the same slot */
  card: z.string().max(256),
  /** all knobs before the first change: changing one may alter what the driver reports for another */
  found: settingsSchema,
  /** original value of each knob changed since */
  own: settingsSchema,
  /** set manually, until reset */
  standing: settingsSchema,
  /** proven by this run or the last one */
  good: settingsSchema,
  /** being set or tried, possibly half done; null: nothing */
  trying: settingsSchema.nullable(),
})
/** A GPU that has, or had, non-default settings. */
export type JournalEntry = z.infer<typeof entrySchema>
const fileSchema = z.object({ version: z.literal(1), cards: z.record(z.string().max(32), entrySchema) })

/** The journal's file. */
export class TuningJournal {
  readonly #file: KeptJson<z.infer<typeof fileSchema>>
  #cards: Promise<Map<string, JournalEntry>> | null = null

  /** @param file absolute */
  constructor(file: string, log: Logger) {
    this.#file = new KeptJson(file, fileSchema, { log })
  }

  async find(pci: string): Promise<JournalEntry | null> {
    return (await this.all()).get(pci) ?? null
  }

  /** On disk when it resolves; null removes the entry. @throws Error of the file system: don't change the GPU then */
  async write(pci: string, entry: JournalEntry | null): Promise<void> {
    const cards = await this.all()
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

  /** By PCI address. */
  all(): Promise<Map<string, JournalEntry>> {
    this.#cards ??= this.#file.load().then((read) => new Map(Object.entries(read?.cards ?? {})))
    return this.#cards
  }
}

/** A GPU's settings without the trial. @param keepsGood includes proven settings as well as manual ones */
export function settledOf(entry: JournalEntry, keepsGood: boolean): CardSettings {
  return { ...entry.own, ...entry.standing, ...(keepsGood ? entry.good : {}) }
}
