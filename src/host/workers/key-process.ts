// The key worker is a process of its own, so that no key is in the memory that draws, mines or talks to strangers. Should it be
// taken over, it has no file and no connection (Linux), and what it says is checked like a stranger's words.
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { LOG_LEVELS, type Logger, type LogLevel, type LogSink } from '../../base/logger'
import type { Transport } from '../../base/wire/define'
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
  /** Takes the process's own log records of `minLevel` and above. */
  readonly sink: LogSink
  readonly minLevel: LogLevel
}

/** What the process says: first whether it is confined, then answers and records of its log. */
export const keyProcessMessage = z.union([
  z.object({ confined: z.boolean(), reason: z.string().max(1_000) }),
  z.object({
    record: z.object({
      time: z.number(),
      level: z.enum(LOG_LEVELS),
      module: z.string(),
      message: z.string(),
      fields: z.record(z.string(), z.unknown()),
    }),
  }),
  z.object({ wire: z.unknown() }),
])

/** So many messages that nobody asked for, between two answers, end it. */
const MAX_UNASKED = 1_000

/** A new process; closing the transport ends it whatever it is doing, and resolves when it has ended. */
export function openKeyProcess(options: KeyProcessOptions): Transport {
  const { log } = options
  const link = new WorkerLink('key')
  const reader = new FrameReader()
  const args = [JSON.stringify({ searchFrom: options.searchFrom, minLevel: options.minLevel })]
  const child = (options.start ?? startOwnProcess)(options.entry, args)
  let unasked = 0

  const take = (message: unknown): void => {
    unasked += 1
    if (unasked > MAX_UNASKED) throw new RangeError('it says what nobody asked for, without end')
    const said = keyProcessMessage.parse(message)
    if ('confined' in said) tellConfinement(said, log)
    else if ('record' in said) options.sink.write(said.record)
    else if (link.received(said.wire)) unasked = 0
  }
  const ended = new Promise<void>((resolve) => {
    child.onEnd((reason) => {
      if (link.end(reason)) log.error('key worker was lost', { reason })
      resolve()
    })
  })
  child.onBytes((bytes) => {
    if (!link.isOpen) return
    try {
      for (const message of reader.read(bytes)) take(message)
    } catch (error) {
      const reason = `it is no key worker any more: ${messageOf(error)}`
      child.kill()
      if (link.end(reason)) log.error('key worker was ended', { reason })
    }
  })

  return {
    send: (message, transfer = []) => {
      if (!link.isOpen) return
      const frame = encodeFrame(message)
      for (const buffer of transfer) new Uint8Array(buffer).fill(0) // given away: only the frame has it
      link.sending(message)
      child.send(frame, () => frame.fill(0))
    },
    onMessage: (listener) => link.onMessage(listener),
    onClose: (listener) => link.onClose(listener),
    close: () => {
      link.end('closed')
      child.kill()
      return ended
    },
  }
}

function tellConfinement({ confined, reason }: { confined: boolean; reason: string }, log: Logger): void {
  if (confined) log.info('the key worker is a process without files and network')
  else log.warn('the key worker is a process of its own, but could open files and connections', { reason })
}
