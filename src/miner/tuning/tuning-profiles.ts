// Settings by profile name and GPU model: search results, and saved profiles.
import { z } from 'zod'
import type { Logger } from '../../base/logger'
import { KeptJson } from '../../files/json-file'
import { MinerError } from '../errors'
import { settingsSchema } from './card-controls'

/** `finished` false: the best of an unfinished search */
const keptSchema = z.object({ settings: settingsSchema, finished: z.boolean() })
type KeptSettings = z.infer<typeof keptSchema>
const fileSchema = z.object({
  version: z.literal(1),
  profiles: z.record(z.string().max(64), z.record(z.string().max(256), keptSchema)),
})

export const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/

export class TuningProfiles {
  readonly #file: KeptJson<z.infer<typeof fileSchema>>

  /** @param file absolute */
  constructor(file: string, log: Logger) {
    this.#file = new KeptJson(file, fileSchema, { log })
  }

  async names(): Promise<readonly string[]> {
    return Object.keys(await this.#load())
  }

  /** Null when the profile has nothing for this model. @throws MinerError TUNING_PROFILE_UNKNOWN */
  async read(profile: string, model: string): Promise<KeptSettings | null> {
    const profiles = await this.#load()
    const cards = profiles[profile]
    if (cards === undefined) throw new MinerError('TUNING_PROFILE_UNKNOWN', { profile, known: Object.keys(profiles) })
    return cards[model] ?? null
  }

  /** @throws Error of the file system */
  async keep(profile: string, model: string, kept: KeptSettings): Promise<void> {
    const profiles = await this.#load()
    await this.#file.save({ version: 1, profiles: { ...profiles, [profile]: { ...profiles[profile], [model]: kept } } })
  }

  async #load(): Promise<Readonly<Record<string, Readonly<Record<string, KeptSettings>>>>> {
    return (await this.#file.load())?.profiles ?? {}
  }
}
