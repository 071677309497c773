// The best launch shapes found, stored by device, driver and dataset size.
import { z } from 'zod'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { KeptJson } from '../../../files/json-file'

/** Launch durations to try besides the default. Two launches take under 30 ms with each. */
export const BATCH_LENGTHS_MS = [6, 14] as const

/** The tuned parameters; the batch size adapts to the measured batch time. */
export interface TunedShape {
  readonly groupSize: number
  readonly variant: number
  /** per launch; absent: the default */
  readonly batchMs?: number
}

const among = (values: readonly number[]) => z.number().refine((value) => values.includes(value))
const shapeSchema = z
  .object({
    groupSize: among([16, 32, 64, 128, 256, 512, 1024]),
    variant: z.int().min(0).max(255),
    batchMs: among(BATCH_LENGTHS_MS).optional(),
  })
  .transform(({ batchMs, ...kernel }): TunedShape => (batchMs === undefined ? kernel : { ...kernel, batchMs }))
/** The results as they are on disk; what isn't a shape is skipped. */
export const tuningSchema = z.record(z.string(), shapeSchema.nullable().catch(null))

/** Storage of tuning results. */
export interface GpuTuningStore {
  /** Null when this combination wasn't tuned yet. */
  find(key: string): Promise<TunedShape | null>
  /** Never rejects: a lost result is found again. */
  keep(key: string, shape: TunedShape): Promise<void>
}

const GIB = 2 ** 30

/** Datasets of the same size in GiB form one class: the best shape changes slowly with size. */
export function tuningKey(
  identity: { readonly kind: string; readonly name: string; readonly driver: string },
  datasetBytes: number,
): string {
  const { kind, name, driver } = identity
  return `${kind} ${name} ${driver} ${Math.ceil(datasetBytes / GIB)} GiB`
}

/** One small JSON file. */
export class GpuTuningFile implements GpuTuningStore {
  #shapes: Promise<z.infer<typeof tuningSchema>> | null = null

  constructor(
    private readonly file: Pick<KeptJson<z.infer<typeof tuningSchema>>, 'load' | 'save'>,
    private readonly log: Logger,
  ) {}

  async find(key: string): Promise<TunedShape | null> {
    return (await this.#all())[key] ?? null
  }

  async keep(key: string, shape: TunedShape): Promise<void> {
    const shapes = await this.#all()
    shapes[key] = shape
    try {
      await this.file.save(shapes)
    } catch (error: unknown) {
      this.log.warn('GPU work sizes cannot be saved', { error: messageOf(error) })
    }
  }

  /** Read once, however many callers ask at the same time. */
  #all(): Promise<z.infer<typeof tuningSchema>> {
    this.#shapes ??= this.file.load().then((kept) => kept ?? {})
    return this.#shapes
  }
}
