// A small disk in memory that can become too small at any moment. Only root may mount one.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync } from 'node:fs'

const MIB = 1024 * 1024
const ROOMY_BYTES = 2048 * MIB
/** The store needs 512 MiB free. */
const LOW_FREE_BYTES = 256 * MIB
/** A few records still fit, a block hardly. */
const FULL_FREE_BYTES = 16_384

export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** Null if none can be mounted. */
  static mount(folder: string): SmallDisk | null {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
    mkdirSync(folder, { recursive: true })
    try {
      mount(folder, `size=${ROOMY_BYTES}`)
      return new SmallDisk(folder)
    } catch {
      return null // a container without the right to mount
    }
  }

  low(): void {
    this.#leave(LOW_FREE_BYTES)
  }

  full(): void {
    this.#leave(FULL_FREE_BYTES)
  }

  roomy(): void {
    mount(this.folder, `remount,size=${ROOMY_BYTES}`)
  }

  usedBytes(): number {
    const { blocks, bfree, bsize } = statfsSync(this.folder)
    return (blocks - bfree) * bsize
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.folder])
    rmSync(this.folder, { recursive: true, force: true })
  }

  #leave(freeBytes: number): void {
    // If something is written between the check and the call, the system refuses the size: then it gets a little more.
    for (let more = 0; ; more += MIB) {
      try {
        mount(this.folder, `remount,size=${this.usedBytes() + freeBytes + more}`)
        return
      } catch (error) {
        if (more > 64 * MIB) throw error
      }
    }
  }
}

function mount(folder: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
}
