// File system faults, injected into everything of this process that was compiled or loaded since: each call that
// changes something is a step, and at the chosen one the process dies, or the disk is full.
import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/**
 * `kill` ends the process right before the step, `half` in the middle of its write. `full` allows no more data onto the
 * disk from that step on, and `once` for that step alone; both leave half of the data behind, as a full disk does.
 */
export interface FaultPlan {
  /** The first step is 1; with 0 nothing fails and steps are counted. */
  readonly at: number
  readonly kind: 'kill' | 'half' | 'full' | 'once'
  /** The file system has one name per file, like that of a memory stick. */
  readonly hasNoLinks?: boolean
}

/** A counted step. */
export interface Step {
  readonly needsSpace: boolean
  readonly writes: boolean
  /** A flush leaves the files as they are: a kill before it is the kill before the next step. */
  readonly isFlush: boolean
}

type Call = (...args: unknown[]) => unknown
type Table = Record<string, Call>

/** Functions of `node:fs` that change something, and whether they need space. */
const SYNC = {
  openSync: true,
  writeSync: true,
  writeFileSync: true,
  mkdirSync: true,
  renameSync: true,
  linkSync: true,
  fsyncSync: true,
  ftruncateSync: false,
  rmSync: false,
  unlinkSync: false,
} as const
const PROMISED = { open: true, writeFile: true, mkdir: true, rename: true, link: true, rm: false } as const
const HANDLE = { writeFile: true, write: true, sync: true, truncate: false } as const

const NO_LINKS = Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM', syscall: 'link' })

export class FaultyFiles {
  #plan: FaultPlan | null = null
  #steps: Step[] = []
  #onDeath: () => void = () => undefined
  readonly #undo: (() => void)[] = []
  readonly #writeSync = fs.writeSync
  readonly #openSync = fs.openSync
  readonly #handle: new () => FileHandle

  /** @param handle any open file, for the methods that all have */
  constructor(handle: FileHandle) {
    this.#handle = handle.constructor as new () => FileHandle
    this.#wrapAll(fs as unknown as Table, SYNC)
    this.#wrapAll(fs.promises as unknown as Table, PROMISED)
    this.#wrapAll(Object.getPrototypeOf(handle) as Table, HANDLE)
    syncBuiltinESMExports()
  }

  /**
   * @param onDeath called where a process could die: with `at` 0 right before each step, else in the middle of that step's write.
   * What is on the disk then is what a killed process leaves, since Node keeps nothing back of what was written.
   */
  arm(plan: FaultPlan, onDeath = (): void => undefined): void {
    this.#plan = plan
    this.#steps = []
    this.#onDeath = onDeath
  }

  /** @returns the steps there were */
  disarm(): readonly Step[] {
    this.#plan = null
    return this.#steps
  }

  restore(): void {
    for (const undo of this.#undo) undo()
    syncBuiltinESMExports()
  }

  #wrapAll(table: Table, names: Readonly<Record<string, boolean>>): void {
    for (const [name, needsSpace] of Object.entries(names)) {
      const original = table[name]
      if (original === undefined) throw new Error(`${name} is missing`)
      const faulty = this
      table[name] = function (this: unknown, ...args: unknown[]): unknown {
        if (name.startsWith('open') && makesNothing(args[1])) return original.apply(this, args)
        if (name === 'link' && faulty.#plan?.hasNoLinks === true) return Promise.reject(NO_LINKS)
        const isFlush = name === 'sync' || name === 'fsyncSync'
        const fault = faulty.#next({ needsSpace, writes: name.startsWith('write'), isFlush }, () =>
          faulty.#writeHalf(name, this, args, original),
        )
        // Power doesn't fail here, and a busy disk would take seconds.
        if (fault === null && isFlush) return name.endsWith('Sync') ? undefined : Promise.resolve()
        if (fault === null) return original.apply(this, args)
        if (name.endsWith('Sync')) throw fault
        return Promise.reject(fault)
      }
      this.#undo.push(() => {
        table[name] = original
      })
    }
  }

  /** The error of this step; null = it proceeds. Doesn't return if the process dies here. */
  #next(step: Step, writeHalf: () => void): Error | null {
    const plan = this.#plan
    if (plan === null) return null
    if (plan.at === 0) this.#die(plan)
    this.#steps.push(step)
    const isHere = this.#steps.length === plan.at
    if (plan.kind === 'kill' && isHere) die()
    if (plan.kind === 'half' && isHere) {
      writeHalf()
      die()
    }
    const isFull = plan.kind === 'full' ? plan.at > 0 && this.#steps.length >= plan.at : plan.kind === 'once' && isHere
    if (!isFull || !step.needsSpace) return null
    writeHalf()
    if (isHere && step.writes) this.#die(plan)
    return Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  }

  /** What looks at the disk takes no steps. */
  #die(plan: FaultPlan): void {
    this.#plan = null
    this.#onDeath()
    this.#plan = plan
  }

  #writeHalf(name: string, self: unknown, args: readonly unknown[], original: Call): void {
    if (name === 'writeFileSync') {
      original.apply(self, [args[0], halfOf(args[1]), ...args.slice(2)])
    } else if (name === 'writeSync') {
      const [descriptor, whole, from = 0, , position = null] = args as [number, Uint8Array, number?, number?, number?]
      const bytes = whole.subarray(from)
      this.#writeSync(descriptor, bytes, 0, Math.floor(bytes.length / 2), position)
    } else if (name === 'writeFile' && self instanceof this.#handle) {
      this.#writeSync(self.fd, halfOf(args[0]))
    } else if (name === 'writeFile') {
      this.#writeSync(this.#openSync(String(args[0]), 'wx'), halfOf(args[1]))
    }
  }
}

/** An opened file must exist, and isn't changed. */
function makesNothing(flags: unknown): boolean {
  if (flags === undefined || flags === 'r' || flags === 'r+') return true
  return (
    typeof flags === 'number' && (flags & (fs.constants.O_CREAT | fs.constants.O_WRONLY | fs.constants.O_RDWR)) === 0
  )
}

function halfOf(data: unknown): Uint8Array {
  const bytes = typeof data === 'string' ? Buffer.from(data) : (data as Uint8Array)
  return bytes.subarray(0, bytes.length / 2)
}

/** Like a kill from outside: nothing runs after it, no handler, no `finally`. */
function die(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
}
