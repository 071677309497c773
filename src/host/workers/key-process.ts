// The key worker is a separate process, so that no key is in the memory that renders, mines or talks to the network. If
// compromised, it has no files or connections (Linux), and its output is validated like untrusted input: answers, codes
// and messages from fixed lists, without free text. A worker that doesn't answer is terminated.
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { KEY_WORKER_CODES, keyWorkerErrorData } from '../../signer/keystore/key-client'
import { type StartProcess, startOwnProcess } from '../system/own-process'
import { ANSWER_FRAME_BYTES, CALL_FRAME_BYTES, encodeFrame, FrameReader } from './byte-frames'
import { WorkerLink } from './worker-link'

interface KeyProcessOptions {
  /** Absolute path of the built entry. */
  readonly entry: string
  /** Folder from which it searches the addon. */
  readonly searchFrom: string
  /** Missing: started with this program's own binary. */
  readonly start?: StartProcess | undefined
  readonly log: Logger
  readonly clock: Clock
  /** Called once per process: with its first message, or when it ends without one. */
  readonly onConfined?: ((confinement: Confinement) => void) | undefined
}

/** `reason`: why it isn't confined; empty when it is. */
export interface Confinement {
  readonly confined: boolean
  readonly reason: string
}

export const KEY_WORKER_RECORDS = [
  'a contract call failed',
  'event listener failed',
  'unexpected failure, this worker exits',
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

/** The process's messages: first whether it is confined, then answers and log records. */
export const keyProcessMessage = z.union([
  z.object({ confined: z.boolean(), reason: z.string().max(1_000) }),
  z.object({ record: z.enum(KEY_WORKER_RECORDS) }),
  z.object({ wire: answerSchema }),
])

/** It is terminated after this many unsolicited messages between two answers. */
const MAX_UNASKED = 1_000
/** Without any answer for this long it counts as hung: five times the duration of the most expensive key file. */
const SILENT_MS = 300_000

/** A new process; closing the transport terminates it whatever it is doing, and resolves when it has ended. */
export function openKeyProcess(options: KeyProcessOptions): Transport {
  const { log } = options
  const link = new WorkerLink('key')
  const reader = new FrameReader(ANSWER_FRAME_BYTES)
  const child = (options.start ?? startOwnProcess)(options.entry, [JSON.stringify({ searchFrom: options.searchFrom })])
  let unasked = 0
  let isReady = false // from then on it receives passwords, and its standard error isn't repeated
  const take = (message: unknown): void => {
    unasked += 1
    if (unasked > MAX_UNASKED) throw new RangeError('too many unsolicited messages')
    const said = keyProcessMessage.parse(message)
    if ('confined' in said === isReady) throw new RangeError('repeated or late sandbox report')
    isReady = true
    if ('confined' in said) tellConfinement(said, options)
    else if ('record' in said) log.error('the key worker reports a fault', { fault: said.record })
    else if (link.received(inKnownWords(said.wire))) {
      unasked = 0
      silence.heard(link.hasOpenCalls)
    }
  }
  const giveUp = (reason: string): void => {
    child.kill()
    if (link.end(reason)) log.error('key worker was terminated', { reason })
  }
  const silence = new Silence(options.clock, () => giveUp(`it gave no answer for ${SILENT_MS / 1_000} s`))
  const ended = new Promise<void>((resolve) => {
    child.onEnd((how, lastWords) => {
      silence.stop()
      const reason = isReady || lastWords === '' ? how : `${how}: ${lastWords}`
      if (link.end(reason)) log.error('key worker was lost', { reason })
      if (!isReady) options.onConfined?.({ confined: false, reason })
      resolve()
    })
  })
  child.onBytes((bytes) => {
    if (!link.isOpen) return
    try {
      reader.read(bytes).forEach(take)
    } catch (error) {
      giveUp(`invalid message from the key worker: ${error instanceof z.ZodError ? 'unknown' : messageOf(error)}`)
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

/** The message as a frame, which is then the only copy of transferred data. */
function givenAway(message: unknown, transfer: readonly ArrayBuffer[]): Uint8Array {
  const frame = encodeFrame(message, CALL_FRAME_BYTES)
  for (const buffer of transfer) new Uint8Array(buffer).fill(0)
  return frame
}

/** Fires when calls are open and nothing was received for too long. */
class Silence {
  #timer: Disposable | null = null

  constructor(
    private readonly clock: Clock,
    private readonly tell: () => void,
  ) {}

  asked(): void {
    this.#timer ??= this.clock.setTimeout(this.tell, SILENT_MS)
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

/** An answer that contains no texts except this program's own. */
function inKnownWords(answer: z.output<typeof answerSchema>): unknown {
  return answer.t === 'result' ? answer : { ...answer, message: answer.code }
}

function tellConfinement(confinement: Confinement, { log, onConfined }: KeyProcessOptions): void {
  const { confined, reason } = confinement
  onConfined?.(confinement)
  if (confined) log.info('the key worker is confined: no files, no network')
  else log.warn('the key worker is not confined: it could open files and connections', { reason })
}
