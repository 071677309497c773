// Long calls are read and checked in a thread of their own: one at a time, callers in turn, each ended with its caller or
// at its limit. A thread that hangs or dies takes one call with it; the next call starts another.
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import { HeadframeError, messageOf } from '../../base/errors'
import { bytesOfHex, toBareHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { onAbort } from '../../base/on-abort'
import type { Clock } from '../../base/time'
import { createWireClient, type WireClient } from '../../base/wire/client'
import { call, type Transport } from '../../base/wire/define'
import { serveWire, trustedPeer, type WireServer } from '../../base/wire/server'
import type { MethodNames } from '../checks/transaction-rules'
import { DescriptorFolder } from '../descriptors/descriptor-folder'
import { SignerError } from '../errors'
import { SelectorDatabase } from '../selectors/selector-database'
import {
  type CallPlace,
  type CheckSources,
  EXAMINED_METHODS,
  type Examination,
  type ExaminedMethod,
  examine,
} from './examine'
import { type LongBody, readLongBody } from './json-rpc'

export const CHECK_LIMITS = {
  /** CPU time of one call, ms: several times what the longest honest one takes. */
  cpuMs: 2_000,
  /** In any case, and the only limit where the system doesn't say how much CPU time a thread used. */
  wallMs: 60_000,
  lookMs: 100,
  /** A call whose caller has left is done within this, or ended. */
  leftMs: 50,
  /** Calls waiting, and their characters; one caller may have half of either. */
  waiting: 64,
  characters: 64 * 1024 * 1024,
  /** After so long without work the thread ends. */
  idleMs: 60_000,
} as const

const settingsShape = z.object({
  strict: z.boolean(),
  london: z.boolean(),
  builtin: z.enum(['full', 'minimal']),
  /** Folder of descriptors; null: only the shipped ones. */
  descriptors: z.string().nullable(),
})

type CheckSettings = z.infer<typeof settingsShape>

const taskShape = z.object({
  method: z.enum(EXAMINED_METHODS),
  text: z.string(),
  place: z.object({ origin: z.string(), chainId: z.bigint(), now: z.number() }),
  /** By selector: names that callers taught this program earlier, of selectors that the text may use. */
  learned: z.record(z.string(), z.string()),
})

type CheckTask = z.infer<typeof taskShape>

/** Made by this program in another thread: not validated member by member. */
const ours = <T>() => z.custom<T>((value) => typeof value === 'object' && value !== null)

/** An examination as it crosses threads, and the names of methods learned from it. */
interface SentExamination {
  readonly line: Examination['line']
  readonly examined: Extract<Examination['outcome'], { readonly examined: unknown }>['examined'] | null
  readonly fault: Pick<HeadframeError, 'code' | 'message' | 'data'> | null
  readonly learned: readonly { readonly selector: string; readonly signature: string }[]
}

const checksWire = {
  calls: {
    /** @returns the system's number of the thread, null where it has none */
    open: call(settingsShape, z.object({ thread: z.number().nullable() })),
    read: call(z.object({ text: z.string() }), ours<LongBody>()),
    examine: call(taskShape, ours<SentExamination>()),
  },
  events: {},
} as const

type ChecksWire = typeof checksWire

/** The thread's side. @param deps.thread the system's number of this thread; null = unknown */
export function serveChecks(
  transport: Transport,
  deps: { readonly log: Logger; readonly thread: number | null },
): WireServer<ChecksWire> {
  const { log } = deps
  let sources: (Pick<CheckSources, 'strict' | 'london' | 'descriptors'> & { readonly names: SelectorDatabase }) | null =
    null
  return serveWire(
    checksWire,
    transport,
    {
      open: async ({ strict, london, builtin, descriptors: folder }) => {
        const names = new SelectorDatabase({ builtin, customFile: null }, { log })
        const descriptors = new DescriptorFolder(folder, { log })
        await names.load()
        await descriptors.load()
        sources = { strict, london, names, descriptors }
        return { thread: deps.thread }
      },
      read: ({ text }) => readLongBody(text),
      examine: (task) => {
        if (sources === null) throw new SignerError('SIGNER_NOT_RUNNING', undefined)
        const names = new TaskNames(sources.names, task.learned)
        const params: unknown = JSON.parse(task.text)
        const { line, outcome } = examine(
          { method: task.method, params: Array.isArray(params) ? params : [], text: task.text },
          task.place,
          { ...sources, selectors: names },
        )
        if ('examined' in outcome) return { line, examined: outcome.examined, fault: null, learned: names.taught }
        return { line, examined: null, fault: faultOf(outcome.error, log), learned: names.taught }
      },
    },
    { log, deny: trustedPeer },
  )
}

function faultOf(error: unknown, log: Logger): Pick<HeadframeError, 'code' | 'message' | 'data'> {
  if (error instanceof HeadframeError) return { code: error.code, message: error.message, data: error.data }
  log.error('checks of a request failed', { error: messageOf(error) })
  const { code, message, data } = new SignerError('SIGNER_INTERNAL', undefined)
  return { code, message, data }
}

/** The shipped names, and what callers taught: kept by the signer's own thread. */
class TaskNames implements MethodNames {
  readonly taught: { readonly selector: string; readonly signature: string }[] = []

  constructor(
    private readonly shipped: SelectorDatabase,
    private readonly learned: Readonly<Record<string, string>>,
  ) {}

  find(selector: Uint8Array): ReturnType<MethodNames['find']> {
    const key = toBareHex(selector.subarray(0, 4))
    const signature = Object.hasOwn(this.learned, key) ? this.learned[key] : undefined
    return (
      this.shipped.find(selector) ?? (signature === undefined ? null : { signatures: [signature], isLearned: true })
    )
  }

  learn(selector: Uint8Array, signature: string): void {
    this.taught.push({ selector: toBareHex(selector.subarray(0, 4)), signature })
  }
}

export interface CheckWorkerDeps {
  readonly open: () => Transport
  readonly clock: Clock
  readonly log: Logger
  readonly names: Pick<SelectorDatabase, 'find' | 'learn'>
  /** CPU time that a thread of this process has used, ms; null = unknown. */
  readonly cpuMs: (thread: number) => number | null
}

export interface JobOwner {
  /** Callers with the same key take turns with the others together. */
  readonly key: string
  readonly callerGone: AbortSignal
}

interface Job {
  readonly key: string
  readonly length: number
  readonly run: (wire: WireClient<ChecksWire>) => Promise<void>
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly wire: WireClient<ChecksWire>
  /** The system's; null until it has said it, and where there is none. */
  number: number | null
}

interface Running {
  readonly job: Job
  isOver: boolean
}

const SELECTORS = /"0x([0-9a-f]{8})/gi
const MAX_PEEKED = 64

export class CheckWorker {
  /** By caller; the one whose turn was longest ago is first. */
  readonly #waiting = new Map<string, Job[]>()
  #count = 0
  #length = 0
  #running: Running | null = null
  #thread: Thread | null = null
  #idle: Disposable | null = null
  #isClosed = false

  constructor(
    private readonly settings: CheckSettings,
    private readonly deps: CheckWorkerDeps,
  ) {}

  /** @throws SignerError SIGNER_CHECK_* */
  read(text: string, owner: JobOwner): Promise<LongBody> {
    return this.#queued(owner, text.length, (wire) => wire.call('read', { text }))
  }

  /** @param text of the parameters, JSON of an array @throws SignerError SIGNER_CHECK_* */
  async examine(
    { method, text }: { readonly method: ExaminedMethod; readonly text: string },
    place: CallPlace,
    owner: JobOwner,
  ): Promise<Examination> {
    const task: CheckTask = { method, text, place: { ...place }, learned: this.#learnedIn(text) }
    const sent = await this.#queued(owner, text.length, (wire) => wire.call('examine', task))
    for (const { selector, signature } of sent.learned) this.deps.names.learn(bytesOfHex(`0x${selector}`), signature)
    const { line, examined, fault } = sent
    if (examined !== null) return { line, outcome: { examined } }
    const { code, message, data } = fault ?? new SignerError('SIGNER_INTERNAL', undefined)
    return { line, outcome: { error: new HeadframeError(code, message, data) } }
  }

  /** Ends the thread; what waits is refused. */
  close(): void {
    this.#isClosed = true
    const jobs = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    for (const { reject } of jobs) reject(new SignerError('SIGNER_NOT_RUNNING', undefined))
    if (this.#running !== null) this.#stop(this.#running, new SignerError('SIGNER_NOT_RUNNING', undefined))
    this.#end()
  }

  /** Names only help: a selector that is written another way just stays without one. */
  #learnedIn(text: string): Record<string, string> {
    const found: Record<string, string> = {}
    let left = MAX_PEEKED
    for (const [, selector = ''] of text.matchAll(SELECTORS)) {
      const known = this.deps.names.find(bytesOfHex(`0x${selector}`))
      if (known?.isLearned === true) found[selector.toLowerCase()] = known.signatures[0] ?? ''
      left -= 1
      if (left === 0) break
    }
    return found
  }

  #queued<T>(owner: JobOwner, length: number, work: (wire: WireClient<ChecksWire>) => Promise<T>): Promise<T> {
    const { key, callerGone } = owner
    return new Promise<T>((resolve, reject) => {
      if (this.#isClosed) return reject(new SignerError('SIGNER_NOT_RUNNING', undefined))
      if (callerGone.aborted) return reject(gone())
      if (!this.#hasRoom(key, length))
        return reject(new SignerError('SIGNER_CHECK_BUSY', { most: CHECK_LIMITS.waiting }))
      const leaving = onAbort(callerGone, () => this.#left(job))
      const job: Job = {
        key,
        length,
        run: async (wire) => {
          resolve(await work(wire))
          leaving.dispose()
        },
        reject: (error) => {
          leaving.dispose()
          reject(error)
        },
      }
      const jobs = this.#waiting.get(key) ?? []
      jobs.push(job)
      this.#waiting.set(key, jobs)
      this.#count += 1
      this.#length += length
      void this.#next()
    })
  }

  #hasRoom(key: string, length: number): boolean {
    const { waiting, characters } = CHECK_LIMITS
    const own = this.#waiting.get(key) ?? []
    const ownLength = own.reduce((sum, job) => sum + job.length, length)
    if (own.length > 0 && (own.length >= waiting / 2 || ownLength > characters / 2)) return false
    return this.#count < waiting && this.#length + length <= characters
  }

  /** Its caller has left: it isn't begun, or it is given a moment to end by itself. */
  #left(job: Job): void {
    const running = this.#running
    if (running?.job !== job) {
      if (this.#remove(job)) job.reject(gone())
      return
    }
    this.deps.clock.setTimeout(() => this.#stop(running, gone()), CHECK_LIMITS.leftMs)
  }

  #remove(job: Job): boolean {
    const jobs = this.#waiting.get(job.key) ?? []
    const at = jobs.indexOf(job)
    if (at < 0) return false
    jobs.splice(at, 1)
    if (jobs.length === 0) this.#waiting.delete(job.key)
    this.#count -= 1
    this.#length -= job.length
    return true
  }

  async #next(): Promise<void> {
    if (this.#running !== null || this.#isClosed) return
    const [first] = this.#waiting
    const job = first?.[1][0]
    if (first === undefined || job === undefined) return this.#rest()
    this.#remove(job)
    const [key, others] = first
    if (this.#waiting.delete(key)) this.#waiting.set(key, others) // the others' turn
    this.#idle?.dispose()
    this.#idle = null
    const running: Running = { job, isOver: false }
    this.#running = running
    const watch = this.#watched(running)
    try {
      await job.run(await this.#started())
    } catch (error) {
      if (!running.isOver) job.reject(this.#lost(error))
    } finally {
      watch.dispose()
      running.isOver = true
      if (this.#running === running) this.#running = null
      void this.#next()
    }
  }

  /** Ends a job that takes too long, with its thread. */
  #watched(running: Running): Disposable {
    const { clock } = this.deps
    const { cpuMs, wallMs, lookMs } = CHECK_LIMITS
    const startedAt = clock.monotonic()
    let begun: number | null = null
    let timer: Disposable
    const look = (): void => {
      const number = this.#thread?.number ?? null
      const used = number === null ? null : this.deps.cpuMs(number)
      begun ??= used
      const cpu = used === null || begun === null ? 0 : used - begun
      const over = cpu > cpuMs ? cpuMs : clock.monotonic() - startedAt > wallMs ? wallMs : null
      if (over === null) timer = clock.setTimeout(look, lookMs)
      else this.#stop(running, new SignerError('SIGNER_CHECK_BOUND', { seconds: over / 1_000 }))
    }
    timer = clock.setTimeout(look, lookMs)
    return { dispose: () => timer.dispose() }
  }

  #stop(running: Running, error: unknown): void {
    if (running.isOver) return
    running.isOver = true
    running.job.reject(error)
    this.#end()
  }

  async #started(): Promise<WireClient<ChecksWire>> {
    if (this.#thread !== null) return this.#thread.wire
    const wire = createWireClient(checksWire, this.deps.open())
    const thread: Thread = { wire, number: null }
    this.#thread = thread
    wire.onClose(() => {
      if (this.#thread === thread) this.#thread = null
    })
    thread.number = (await wire.call('open', this.settings)).thread
    return wire
  }

  #end(): void {
    this.#idle?.dispose()
    this.#idle = null
    const thread = this.#thread
    this.#thread = null
    void thread?.wire.close()
  }

  #rest(): void {
    this.#idle ??= this.deps.clock.setTimeout(() => {
      this.#idle = null
      if (this.#running === null) this.#end()
    }, CHECK_LIMITS.idleMs)
  }

  #lost(cause: unknown): Error {
    this.deps.log.warn('a request was not checked', { reason: messageOf(cause) })
    return new SignerError('SIGNER_CHECK_LOST', undefined, { cause })
  }
}

/** The caller isn't there to read it. */
function gone(): Error {
  return new SignerError('SIGNER_REQUEST_DENIED', undefined)
}
