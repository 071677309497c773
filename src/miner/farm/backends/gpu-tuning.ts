// The best launch shapes found, stored by device, driver and dataset size.
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { HistoryStore } from '../../stats/history-file'

/** Launch durations to try besides the default. Two launches take under 30 ms with each. */
export const BATCH_LENGTHS_MS = [6, 14] as const

/** The tuned parameters; the batch size adapts to the measured batch time. */
export interface TunedShape {
  readonly groupSize: number
  readonly variant: number
  /** per launch; absent: the default */
  readonly batchMs?: number
}

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

/** One small JSON file. An unreadable one counts as empty: tuning takes a minute. */
export class GpuTuningFile implements GpuTuningStore {
  #shapes: Promise<Map<string, TunedShape>> | null = null
  #tail: Promise<void> = Promise.resolve()

  constructor(
    private readonly file: HistoryStore,
    private readonly log: Logger,
  ) {}

  async find(key: string): Promise<TunedShape | null> {
    return (await this.#all()).get(key) ?? null
  }

  async keep(key: string, shape: TunedShape): Promise<void> {
    const shapes = await this.#all()
    shapes.set(key, shape)
    const text = JSON.stringify(Object.fromEntries(shapes), null, 2)
    this.#tail = this.#tail.then(() => this.#save(text))
    await this.#tail
  }

  /** Read once, however many callers ask at the same time. */
  #all(): Promise<Map<string, TunedShape>> {
    this.#shapes ??= this.#load()
    return this.#shapes
  }

  async #load(): Promise<Map<string, TunedShape>> {
    try {
      const bytes = await this.file.load()
      return bytes === null ? new Map() : parseShapes(new TextDecoder().decode(bytes))
    } catch (error: unknown) {
      this.log.warn('saved GPU work sizes cannot be read, tuning again', { error: messageOf(error) })
      return new Map()
    }
  }

  async #save(text: string): Promise<void> {
    try {
      await this.file.save(new TextEncoder().encode(text))
    } catch (error: unknown) {
      this.log.warn('GPU work sizes cannot be saved', { error: messageOf(error) })
    }
  }
}

/** Skips entries that aren't shapes. @throws SyntaxError when it isn't JSON */
function parseShapes(text: string): Map<string, TunedShape> {
  const read: unknown = JSON.parse(text)
  const shapes = new Map<string, TunedShape>()
  if (typeof read !== 'object' || read === null) return shapes
  for (const [key, value] of Object.entries(read)) {
    if (!isShape(value)) continue
    const { groupSize, variant, batchMs } = value
    shapes.set(key, { groupSize, variant, ...(batchMs === undefined ? {} : { batchMs }) })
  }
  return shapes
}

function isShape(value: unknown): value is TunedShape {
  if (typeof value !== 'object' || value === null || !('groupSize' in value) || !('variant' in value)) return false
  const { groupSize, variant } = value
  const isKnownLength = !('batchMs' in value) || BATCH_LENGTHS_MS.some((ms) => ms === value.batchMs)
  if (!isKnownLength) return false
  const isGroup = typeof groupSize === 'number' && [16, 32, 64, 128, 256, 512, 1024].includes(groupSize)
  return isGroup && typeof variant === 'number' && Number.isInteger(variant) && variant >= 0 && variant < 256
}
