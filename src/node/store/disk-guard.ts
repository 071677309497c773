// Keeps the database from filling the disk: a full disk would hurt everything else on the machine before it hurts us.
import { statfs } from 'node:fs/promises'
import { StoreError } from '../errors'

export interface DiskOptions {
  /** Writing stops below so much free space. Default 512 MiB. */
  readonly minFreeBytes?: number
  /** Free bytes of the disk that holds the folder, null when it cannot be told. Default: the system's answer. */
  readonly freeBytes?: (folder: string) => Promise<number | null>
}

const MIN_FREE_BYTES = 512 * 1024 * 1024
/** What a batch takes on the disk while it is in the log and in a table, which are both there for a time. */
const COPIES = 2

export class DiskGuard {
  readonly #minFreeBytes: number
  readonly #freeBytes: (folder: string) => Promise<number | null>

  constructor(
    private readonly folder: string,
    options: DiskOptions,
  ) {
    this.#minFreeBytes = options.minFreeBytes ?? MIN_FREE_BYTES
    this.#freeBytes = options.freeBytes ?? systemFreeBytes
  }

  /** @param bytes that are to be written @throws StoreError STORE_DISK_LOW */
  async check(bytes: number): Promise<void> {
    const freeBytes = await this.#freeBytes(this.folder)
    const neededBytes = this.#needed(bytes)
    if (freeBytes !== null && freeBytes < neededBytes)
      throw new StoreError('STORE_DISK_LOW', { folder: this.folder, freeBytes, neededBytes })
  }

  /** For a write that failed on a full disk all the same. */
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

/** Bytes that a program may still write there; null where the system does not tell. */
export async function systemFreeBytes(folder: string): Promise<number | null> {
  if (typeof statfs !== 'function') return null // Node 16 does not have it
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null // some file systems do not tell
  }
}
