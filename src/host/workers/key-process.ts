// The key worker is a process of its own, so that no key is in the memory that draws, mines or talks to strangers. Should it be
// taken over, it has no file and no connection (Linux), and what it says is checked like a stranger's words: answers, codes and
// messages of fixed lists, and no text of its own. One that does not answer is ended.
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { KEY_WORKER_CODES, keyWorkerErrorData } from '../../signer/keystore/worker-errors'
import { type StartProcess, startOwnProcess } from '../system/own-process'
import { encodeFrame, FrameReader } from './byte-frames'
import { WorkerLink } from './worker-link'

export interface KeyProcessOptions {
  /** Absolute path of the built entry. */
  readonly entry: string
  /** Folder from which it looks for the addon. */
  readonly searchFrom: string
  /** Missing: by this program's own binary. */
  readonly start?: StartProcess | undefined
  readonly log: Logger
  readonly clock: Clock
}

/** What its log may say here, without fields. */
export const KEY_WORKER_RECORDS = [
  'a contract call failed',
  'event listener failed',
  'unexpected failure, this worker ends',
] as const

const answerSchema = z.union([
  z.object({ t: z.literal('result'), id: z.number(), result: z.unknown() }),
  z.object({
    t: z.literal('error'),
    id: z.number(),
    code: z.enum(KEY_WORKER_CODES).catch('CONTRACT_FAILED'),
    data: keyWorkerErrorData.catch({}),
  }),
])

/** What the process says: first whether it is confined, then answers and what stands in its log. */
export const keyProcessMessage = z.union([
  z.object({ confined: z.boolean(), reason: z.string().max(1_000) }),
  z.object({ record: z.enum(KEY_WORKER_RECORDS) }),
  z.object({ wire: answerSchema }),
])

/** So many messages that nobody asked for, between two answers, end it. */
const MAX_UNASKED = 1_000
/** Without an answer to anything for so long it counts as hung: five times what the costliest key file takes. */
const SILENT_MS = 300_000

/** A new process; closing the transport ends it whatever it is doing, and resolves when it has ended. */
export function openKeyProcess(options: KeyProcessOptions): Transport {
  const { log } = options
  const link = new WorkerLink('key')
  const reader = new FrameReader()
  const child = (options.start ?? startOwnProcess)(options.entry, [JSON.stringify({ searchFrom: options.searchFrom })])
  let unasked = 0
  let isReady = false // from then on it hears passwords, and its last words are not repeated
  const take = (message: unknown): void => {
    unasked += 1
    if (unasked > MAX_UNASKED) throw new RangeError('it says what nobody asked for, without end')
    const said = keyProcessMessage.parse(message)
    if ('confined' in said === isReady) throw new RangeError('it says again, or too late, how it is confined')
    isReady = true
    if ('confined' in said) tellConfinement(said, log)
    else if ('record' in said) log.error('the key worker tells of a fault', { fault: said.record })
    else if (link.received(inKnownWords(said.wire))) {
      unasked = 0
      silence.heard(link.hasOpenCalls)
    }
  }
  const giveUp = (reason: string): void => {
    child.kill()
    if (link.end(reason)) log.error('key worker was ended', { reason })
  }
  const silence = new Silence(options.clock, () => giveUp(`it gave no answer for ${SILENT_MS / 1_000} s`))
  const ended = new Promise<void>((resolve) => {
    child.onEnd((how, lastWords) => {
      silence.stop()
      const reason = isReady || lastWords === '' ? how : `${how}: ${lastWords}`
      if (link.end(reason)) log.error('key worker was lost', { reason })
      resolve()
    })
  })
  child.onBytes((bytes) => {
    if (!link.isOpen) return
    try {
      reader.read(bytes).forEach(take)
    } catch (error) {
      giveUp(`it is no key worker any more: ${error instanceof z.ZodError ? 'unknown words' : messageOf(error)}`)
    }
  })
  return {
    send: (message, transfer = []) => {
      if (!link.isOpen) return
      const frame = givenAway(message, transfer)
      link.sending(message)
      silence.asked()
      child.send(frame, () => frame.fill(0))
    },
    onMessage: (listener) => link.onMessage(listener),
    onClose: (listener) => link.onClose(listener),
    close: () => {
      silence.stop()
      link.end('closed')
      child.kill()
      return ended
    },
  }
}

/** The message as a frame, which is then the only place that has what was given away. */
function givenAway(message: unknown, transfer: readonly ArrayBuffer[]): Uint8Array {
  const frame = encodeFrame(message)
  for (const buffer of transfer) new Uint8Array(buffer).fill(0)
  return frame
}

/** Tells when calls are open and nothing was heard for too long. */
class Silence {
  readonly #clock: Clock
  readonly #tell: () => void
  #timer: Disposable | null = null

  constructor(clock: Clock, tell: () => void) {
    this.#clock = clock
    this.#tell = tell
  }

  asked(): void {
    this.#timer ??= this.#clock.setTimeout(this.#tell, SILENT_MS)
  }

  heard(isWaiting: boolean): void {
    this.stop()
    if (isWaiting) this.asked()
  }

  stop(): void {
    this.#timer?.dispose()
    this.#timer = null
  }
}

/** An answer whose only texts are those of this program. */
function inKnownWords(answer: z.output<typeof answerSchema>): unknown {
  return answer.t === 'result' ? answer : { ...answer, message: answer.code }
}

function tellConfinement({ confined, reason }: { confined: boolean; reason: string }, log: Logger): void {
  if (confined) log.info('the key worker is a process without files and network')
  else log.warn('the key worker is a process of its own, but could open files and connections', { reason })
}
