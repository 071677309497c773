// Keeps the database from filling the disk: a full disk would hurt everything else on the machine before it hurts us.
import { statfs } from 'node:fs/promises'
import { StoreError } from '../errors'

export interface DiskOptions {
  /** Writing stops below this much free space. Default 512 MiB. */
  readonly minFreeBytes?: number
  /** Free bytes of the disk that holds the folder, null when unknown. Default: asks the system. */
  readonly freeBytes?: (folder: string) => Promise<number | null>
  /** Milliseconds of a clock that never goes backwards. Default: the system's. */
  readonly monotonic?: () => number
}

const MIN_FREE_BYTES = 512 * 1024 * 1024
/** Disk space per byte of a batch: for a time it is both in the log and in a table. */
const COPIES = 2
/** Used again for so long while twice the minimum is free: asking takes as long as writing a small block. */
const FRESH_MS = 1_000
const PLENTY = 2

/** Refuses writes while the disk is nearly full. */
export class DiskGuard {
  readonly #minFreeBytes: number
  readonly #freeBytes: (folder: string) => Promise<number | null>
  readonly #monotonic: () => number
  /** Free bytes less what was written since the system was asked. */
  #left = 0
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly folder: string,
    options: DiskOptions,
  ) {
    this.#minFreeBytes = options.minFreeBytes ?? MIN_FREE_BYTES
    this.#freeBytes = options.freeBytes ?? systemFreeBytes
    this.#monotonic = options.monotonic ?? (() => performance.now())
  }

  /** @param bytes to be written @throws StoreError STORE_DISK_LOW */
  async check(bytes: number): Promise<void> {
    this.#left -= COPIES * bytes
    const isFresh = this.#monotonic() - this.#askedAt < FRESH_MS
    if (isFresh && this.#left >= PLENTY * this.#minFreeBytes) return
    const freeBytes = await this.#freeBytes(this.folder)
    const neededBytes = this.#needed(bytes)
    if (freeBytes !== null && freeBytes < neededBytes)
      throw new StoreError('STORE_DISK_LOW', { folder: this.folder, freeBytes, neededBytes })
    this.#left = (freeBytes ?? Number.POSITIVE_INFINITY) - COPIES * bytes
    this.#askedAt = this.#monotonic()
  }

  /** For a write that failed on a full disk despite the check. */
  async lowError(bytes: number, cause: unknown): Promise<Error> {
    const freeBytes = (await this.#freeBytes(this.folder)) ?? 0
    return new StoreError(
      'STORE_DISK_LOW',
      { folder: this.folder, freeBytes, neededBytes: this.#needed(bytes) },
      { cause },
    )
  }

  #needed(bytes: number): number {
    return this.#minFreeBytes + COPIES * bytes
  }
}

/** Bytes that a program may still write there; null where the system doesn't report it. */
export async function systemFreeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null // some file systems don't report it
  }
}
