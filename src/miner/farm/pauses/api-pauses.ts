// User-requested pauses, by page, API or menu: until they are lifted, or for a time that survives a restart of the
// program.
import { z } from 'zod'
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { KeptJson } from '../../../files/json-file'
import type { DeviceSlot } from '../device-slot'
import type { Farm } from '../farm'

/** Timed pauses as they are on disk: their ends in UTC ms by device, with the history's keys. */
export const pausesSchema = z.object({ pauses: z.record(z.string().max(300), z.number().int().nonnegative()) })

/** Longest pause that can be requested; a stored one that seems longer is from another clock. */
const LONGEST_MS = 86_400_000

interface ApiPausesDeps {
  readonly farm: Pick<Farm, 'pause' | 'resume' | 'slots'>
  readonly clock: Clock
  /** null: pauses end with the program */
  readonly kept: Pick<KeptJson<z.infer<typeof pausesSchema>>, 'load' | 'save'> | null
  readonly log: Logger
  /** identifies a device across restarts */
  readonly keyOf: (slot: DeviceSlot) => string
}

/** The pauses requested by users. */
export class ApiPauses {
  /** by device */
  readonly #running = new Map<number, { readonly timer: Disposable; readonly endsAt: number }>()
  #isKept = false
  #written: Promise<void> = Promise.resolve()

  constructor(private readonly deps: ApiPausesDeps) {}

  /**
   * Adds the reason; for a device that already has it, only the duration changes.
   * @param device null for all; @param forSeconds duration; null: until `resume`
   * @throws MinerError DEVICE_UNKNOWN
   */
  pause(device: number | null, forSeconds: number | null): void {
    this.deps.farm.pause(device, 'Api request')
    this.#set(device, forSeconds)
  }

  /** Lifts this reason only. @throws MinerError DEVICE_UNKNOWN */
  resume(device: number | null): void {
    this.deps.farm.resume(device, 'Api request')
    this.#set(device, null)
  }

  /** Once the devices are known: restores pauses that were still running when the program ended. */
  async restore(): Promise<void> {
    const { farm, clock, kept, keyOf } = this.deps
    const ends = (await kept?.load())?.pauses ?? {}
    this.#isKept = Object.keys(ends).length > 0
    for (const slot of farm.slots) {
      const key = keyOf(slot)
      const leftMs = (Object.hasOwn(ends, key) ? (ends[key] ?? 0) : 0) - clock.now()
      if (leftMs <= 0) continue
      farm.pause(slot.index, 'Api request')
      this.#time(slot.index, Math.min(leftMs, LONGEST_MS) / 1_000)
    }
  }

  /** UTC ms; null without an end. */
  endsAt(device: number): number | null {
    return this.#running.get(device)?.endsAt ?? null
  }

  /** The program ends: nothing is lifted anymore, stored pauses stay. */
  async stop(): Promise<void> {
    for (const { timer } of this.#running.values()) timer.dispose()
    this.#running.clear()
    await this.#written
  }

  /** Replaces the device's timer. @param seconds null: none */
  #time(device: number, seconds: number | null): void {
    this.#running.get(device)?.timer.dispose()
    this.#running.delete(device)
    if (seconds === null) return
    const { clock, farm } = this.deps
    const timer = clock.setTimeout(() => {
      this.#running.delete(device)
      // A miner that stopped meanwhile has no devices.
      if (farm.slots.some(({ index }) => index === device)) this.resume(device)
    }, seconds * 1_000)
    this.#running.set(device, { timer, endsAt: clock.now() + seconds * 1_000 })
  }

  #set(device: number | null, forSeconds: number | null): void {
    const { farm, kept, keyOf, log } = this.deps
    if (farm.slots.length === 0) return // not running: what is stored belongs to devices that aren't known now
    for (const { index } of farm.slots) if (device === null || index === device) this.#time(index, forSeconds)
    const ends = farm.slots.flatMap((slot) => {
      const at = this.endsAt(slot.index)
      return at === null ? [] : [[keyOf(slot), at] as const]
    })
    if (ends.length === 0 && !this.#isKept) return
    this.#isKept = ends.length > 0
    if (kept === null) return
    this.#written = kept
      .save({ pauses: Object.fromEntries(ends) })
      .catch((error: unknown) => log.warn('pauses could not be saved', { error: messageOf(error) }))
  }
}
