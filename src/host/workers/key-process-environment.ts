// The key worker's process environment: a channel to the program that started it, and nothing else once it is confined.

import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createLogger, type Logger } from '../../base/logger'
import { type Clock, systemClock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { readWiped } from '../../files/wiped-input'
import type { NativeAddon } from '../../native/addon'
import { loadAddon, nativeScrypt } from '../../native/loader'
import { secp256k1 } from '../../native/secp256k1'
import { attendWorkerFaults } from '../faults/worker-faults'
import { stopSignals } from '../system/stop-signals'
import { ANSWER_FRAME_BYTES, CALL_FRAME_BYTES, encodeFrame, FrameReader } from './byte-frames'
import { KEY_WORKER_RECORDS, type keyProcessMessage } from './key-process'

/** `unknown`: the system doesn't list this process's open files. */
type Rings = 'none' | 'held' | 'unknown'

/**
 * Whether this process, with its open files in `folder`, holds an io_uring: newer libuv creates one at startup despite
 * UV_USE_IO_URING, and aborts when it is taken away later (Node 22, 24 and Debian 13's 20.19).
 */
export function heldRings(folder = '/proc/self/fd'): Rings {
  try {
    const targets = readdirSync(folder).map((name) => targetOf(join(folder, name)))
    return targets.some((target) => target.includes('[io_uring]')) ? 'held' : 'none'
  } catch {
    return 'unknown'
  }
}

/** Empty for a file closed meanwhile: the descriptor used to read the folder. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

const argumentSchema = z.object({ searchFrom: z.string(), isRestarted: z.boolean().default(false) })

/** Electron's port of a utility process; bytes as messages. */
interface ParentPort {
  postMessage(bytes: Uint8Array): void
  on(event: 'message', listener: (event: { readonly data: Uint8Array }) => void): void
}

interface KeyProcessEnvironment {
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Logger
}

/** Opens what it needs, gives up the rest, and says whether it is confined. @throws Error when started any other way */
export function keyProcessEnvironment(): KeyProcessEnvironment {
  const argument = argumentSchema.parse(JSON.parse(process.argv[2] ?? ''))
  const obstacle = confinementObstacle(argument)
  const channel = openChannel(typeof obstacle === 'string' ? null : obstacle)
  const send = (message: z.input<typeof keyProcessMessage>): void =>
    channel.send(encodeFrame(message, ANSWER_FRAME_BYTES))
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
  // Also where it can't be confined.
  if (typeof obstacle !== 'string') obstacle.denyDumps?.()
  const reason = typeof obstacle === 'string' ? obstacle : (obstacle.confineProcess?.() ?? TOO_OLD)
  send({ confined: reason === '', reason })
  const reader = new FrameReader(CALL_FRAME_BYTES)
  return {
    clock,
    log,
    transport: {
      send: (message) => channel.send(encodeFrame({ wire: message }, ANSWER_FRAME_BYTES)),
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

const TOO_OLD = 'the addon was built before it could do that; run: npm run build:native'

/**
 * Before anything is read: starts this process again if its event loop holds an io_uring, which would keep running, and
 * with it a way around the filter. @returns the addon, or why it can't confine this process
 */
function confinementObstacle({ searchFrom, isRestarted }: z.infer<typeof argumentSchema>): NativeAddon | string {
  // Electron's own channel needs system calls that a confined process no longer has.
  if (parentPort() !== null) return "Electron's own processes cannot give them up"
  const loaded = loadAddon({ searchFrom })
  if ('error' in loaded) return loaded.error
  const { addon } = loaded
  if (process.platform !== 'linux') return addon
  const rings = heldRings()
  // A restarted process that can't list its files has no ring either: it couldn't create one.
  if (rings === 'none' || (rings === 'unknown' && isRestarted)) return addon
  if (isRestarted) return "its event loop holds an io_uring although it can't create one"
  const words = [process.execPath, ...process.argv.slice(1, 2), JSON.stringify({ searchFrom, isRestarted: true })]
  // Electron's binary is plain Node only with this variable, which it may hide from its own environment.
  const variables = { ...process.env, ...(process.versions.electron && { ELECTRON_RUN_AS_NODE: '1' }) }
  const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  return addon.restartWithoutRings?.(process.execPath, words, environment) ?? TOO_OLD
}

interface Channel {
  send(bytes: Uint8Array): void
  onBytes(listener: (bytes: Uint8Array) => void): void
}

function openChannel(addon: NativeAddon | null): Channel {
  const port = parentPort()
  if (port !== null) {
    return {
      send: (bytes) => port.postMessage(bytes),
      onBytes: (listener) => port.on('message', ({ data }) => listener(data)),
    }
  }
  const { stdout } = process
  stdout.on('error', leave)
  let tell: (bytes: Uint8Array) => void = () => undefined
  // At the end the parent is gone, or no longer needs it.
  readWiped({ onBytes: (bytes) => tell(bytes), onEnd: leave }, (place) => void addon?.lockMemory?.(place))
  return {
    send: (bytes) => void stdout.write(bytes),
    onBytes: (listener) => {
      tell = listener
    },
  }
}

function parentPort(): ParentPort | null {
  return 'parentPort' in process ? (process.parentPort as ParentPort | null) : null
}

/** Silent, even while a derivation still runs on a thread. */
function leave(): void {
  process.kill(process.pid, 'SIGKILL')
}
