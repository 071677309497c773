// Timed pauses survive the program: their remaining time continues after a restart.
import { z } from 'zod'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { HistoryStore } from '../../stats/history-file'

const MAX_BYTES = 65_536
const fileSchema = z.object({
  /** UTC ms by device, with the history's keys */
  pauses: z.record(z.string().max(300), z.number().int().nonnegative()),
})

/** End of each pause, UTC ms, by device key. */
type PauseEnds = Readonly<Record<string, number>>

/** One write at a time; the last one wins. */
export class KeptPauses {
  #writing: Promise<void> = Promise.resolve()

  /** @param store null: pauses end with the program */
  constructor(
    private readonly store: HistoryStore | null,
    private readonly log: Logger,
  ) {}

  /** The previous run's pauses. An unreadable file counts as empty and is logged. */
  async load(): Promise<PauseEnds> {
    try {
      const bytes = (await this.store?.load()) ?? null
      if (bytes === null) return {}
      if (bytes.length > MAX_BYTES) throw new Error(`longer than ${MAX_BYTES} bytes`)
      return fileSchema.parse(JSON.parse(new TextDecoder().decode(bytes))).pauses
    } catch (error: unknown) {
      this.log.warn('saved pauses could not be read', { error: messageOf(error) })
      return {}
    }
  }

  /** Resolves when it is written; failures are logged. */
  save(pauses: PauseEnds): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(pauses))
    return this.#writing
  }

  /** Resolves when all pending writes are done. */
  get written(): Promise<void> {
    return this.#writing
  }

  async #write(pauses: PauseEnds): Promise<void> {
    try {
      await this.store?.save(new TextEncoder().encode(JSON.stringify({ pauses })))
    } catch (error: unknown) {
      this.log.warn('pauses could not be saved', { error: messageOf(error) })
    }
  }
}
