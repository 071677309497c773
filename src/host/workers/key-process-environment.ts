// The key worker's process environment: a channel to the program that started it, and nothing else once it is confined.
import { z } from 'zod'
import { createLogger, type Logger } from '../../base/logger'
import { type Clock, systemClock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { loadAddon } from '../../native/loader'
import { nativeScrypt } from '../../native/scrypt'
import { secp256k1 } from '../../native/secp256k1'
import { attendWorkerFaults } from '../faults/worker-faults'
import { holdsIoUring } from '../system/io-uring'
import { stopSignals } from '../system/stop-signals'
import { encodeFrame, FrameReader } from './byte-frames'
import { KEY_WORKER_RECORDS, type keyProcessMessage } from './key-process'

const argumentSchema = z.object({ searchFrom: z.string() })

/** Electron's port of a utility process; bytes as messages. */
interface ParentPort {
  postMessage(bytes: Uint8Array): void
  on(event: 'message', listener: (event: { readonly data: Uint8Array }) => void): void
}

export interface KeyProcessEnvironment {
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Opens everything needed, gives up the rest, and reports whether it is confined. @throws Error when started any other
 * way
 */
export function keyProcessEnvironment(): KeyProcessEnvironment {
  const { searchFrom } = argumentSchema.parse(JSON.parse(process.argv[2] ?? ''))
  const channel = openChannel()
  const send = (message: z.input<typeof keyProcessMessage>): void => channel.send(encodeFrame(message))
  const clock = systemClock()
  // Only the identity of a log record is sent: its fields could contain secrets.
  const log = createLogger('', {
    minLevel: 'error',
    now: clock.now,
    sink: {
      write: ({ message }) => {
        const record = KEY_WORKER_RECORDS.find((known) => known === message)
        if (record !== undefined) send({ record })
      },
    },
  })
  attendWorkerFaults(log)
  leaveStopToParent()
  // They load the addon while files can be read.
  secp256k1()
  nativeScrypt()
  const reason = confine(searchFrom)
  send({ confined: reason === '', reason })
  const reader = new FrameReader()
  return {
    clock,
    log,
    transport: {
      send: (message) => channel.send(encodeFrame({ wire: message })),
      onMessage: (listener) => {
        channel.onBytes((bytes) => {
          for (const message of reader.read(bytes)) listener(message)
        })
      },
      onClose: () => undefined, // the process ends with its channel
      close: leave,
    },
  }
}

/** A terminal or service manager signals both processes; the program ends this one once open signatures are done. */
function leaveStopToParent(): void {
  for (const signal of stopSignals(process.platform)) process.on(signal, () => undefined)
}

function confine(searchFrom: string): string {
  // Electron's own channel needs system calls that a confined process no longer has.
  if (parentPort() !== null) return "Electron's own processes cannot give them up"
  // It would keep running, and with it a way around the filter.
  if (holdsIoUring()) return "this Node's event loop holds an io_uring; start it where io_uring_setup is not allowed"
  const loaded = loadAddon({ searchFrom })
  if ('error' in loaded) return loaded.error
  return loaded.addon.confineProcess?.() ?? 'the addon was built before it could do that'
}

interface Channel {
  send(bytes: Uint8Array): void
  onBytes(listener: (bytes: Uint8Array) => void): void
}

function openChannel(): Channel {
  const port = parentPort()
  if (port !== null) {
    return {
      send: (bytes) => port.postMessage(bytes),
      onBytes: (listener) => port.on('message', ({ data }) => listener(data)),
    }
  }
  const { stdin, stdout } = process
  stdout.on('error', leave)
  // The parent is gone, or no longer needs it.
  stdin.on('close', leave)
  stdin.on('end', leave)
  return {
    send: (bytes) => void stdout.write(bytes),
    onBytes: (listener) => void stdin.on('data', listener),
  }
}

function parentPort(): ParentPort | null {
  return 'parentPort' in process ? (process.parentPort as ParentPort | null) : null
}

/** Silent, even while a derivation still runs on a thread. */
function leave(): void {
  process.kill(process.pid, 'SIGKILL')
}
