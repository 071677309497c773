// What is set of which card, on the disk before the card is touched: whoever starts after a crash or a power cut finds there
// what to put back.
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

/** One card that is, or was, not left to itself. */
export interface JournalEntry {
  /** its identity: values of one card are never put into another one in the same slot */
  readonly card: string
  /** all knobs before the first one was touched: turning one may change what the driver says of another */
  readonly found: CardSettings
  /** of each knob that was touched since: what it was before */
  readonly own: CardSettings
  /** set by hand, for as long as nobody takes it back */
  readonly standing: CardSettings
  /** proved by this run or the last one */
  readonly good: CardSettings
  /** what is being set or tried, and may be half done; null: nothing */
  readonly trying: CardSettings | null
}

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

  /** On the disk when it resolves; null strikes the card out. @throws Error of the file system: the card must not be touched then */
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
 * What a card is to be set to without what is only tried.
 * @param keepsGood what was proved counts as well as what was set by hand
 */
export function settledOf(entry: JournalEntry, keepsGood: boolean): CardSettings {
  return { ...entry.own, ...entry.standing, ...(keepsGood ? entry.good : {}) }
}
