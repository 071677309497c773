// Ledger devices on USB, through node-hid. Its native part is loaded when a device is first used, so that a program
// without USB enabled never loads it, and one without the package reports so.
import { concatBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { SignerError } from '../errors'
import type { DeviceChannel, DevicePort, PluggedDevice } from './device-port'

export const PACKET_BYTES = 64
const HEAD_BYTES = 5
const LENGTH_BYTES = 2
const TAG = 0x05
const MAX_APDU_BYTES = 0xffff

/**
 * Packets of Ledger's USB HID protocol: channel (2), tag 5 (1), sequence (2), and in the first one the length (2); numbers
 * are big-endian, the last packet is zero-padded. @param channel 0..65535 @param apdu at most 65535 bytes
 */
export function framesOf(channel: number, apdu: Uint8Array): readonly Uint8Array[] {
  if (apdu.length > MAX_APDU_BYTES) throw new RangeError(`${apdu.length} bytes do not fit a command`)
  const content = concatBytes(Uint8Array.of(apdu.length >> 8, apdu.length & 0xff), apdu)
  const room = PACKET_BYTES - HEAD_BYTES
  return Array.from({ length: Math.ceil(content.length / room) }, (_, sequence) => {
    const packet = new Uint8Array(PACKET_BYTES)
    packet.set([channel >> 8, channel & 0xff, TAG, sequence >> 8, sequence & 0xff])
    packet.set(content.subarray(sequence * room, (sequence + 1) * room), HEAD_BYTES)
    return packet
  })
}

export class FrameReader {
  #expected = 0
  #length = 0
  #parts: Uint8Array[] = []
  #received = 0

  constructor(private readonly channel: number) {}

  /**
   * Adds the next packet; one of another channel belongs to another program and is ignored.
   * @returns the whole answer, null while incomplete
   * @throws SignerError SIGNER_DEVICE_ANSWER for an invalid packet
   */
  take(packet: Uint8Array): Uint8Array | null {
    if (packet.length < HEAD_BYTES + LENGTH_BYTES) throw broken(`a packet of ${packet.length} bytes`)
    const view = new DataView(packet.buffer, packet.byteOffset, packet.length)
    if (view.getUint16(0) !== this.channel) return null
    if (view.getUint8(2) !== TAG) throw broken(`packet tag ${view.getUint8(2)}`)
    const sequence = view.getUint16(3)
    if (sequence !== this.#expected) throw broken(`packet ${sequence} in the place of ${this.#expected}`)
    if (sequence === 0) this.#length = view.getUint16(HEAD_BYTES)
    const content = packet.subarray(HEAD_BYTES + (sequence === 0 ? LENGTH_BYTES : 0))
    this.#expected += 1
    this.#parts.push(Uint8Array.from(content.subarray(0, this.#length - this.#received)))
    this.#received += content.length
    return this.#received < this.#length ? null : concatBytes(...this.#parts)
  }
}

function broken(what: string): Error {
  return new SignerError('SIGNER_DEVICE_ANSWER', { reason: what })
}

const LEDGER_VENDOR = 0x2c97
/** On systems that report usage pages, this one accepts commands; elsewhere it is the first interface. */
const COMMAND_PAGE = 0xffa0
/** Read timeout, after which it is checked whether the channel was closed. */
const LOOK_MS = 250

export interface HidLibrary {
  readonly devicesAsync: (vendor: number, product: number) => Promise<readonly HidEntry[]>
  readonly open: (path: string) => Promise<HidHandle>
}

interface HidEntry {
  readonly path?: string | undefined
  readonly usagePage?: number | undefined
  readonly interface: number
}

interface HidHandle {
  /** @param values a report id and the packet */
  write(values: number[]): Promise<number>
  /** Undefined or empty on timeout. */
  read(waitMs: number): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

interface UsbDevicesDeps {
  /** Rejects when the library or its native part is missing. */
  readonly load: () => Promise<HidLibrary>
  readonly platform: NodeJS.Platform
  readonly randomBytes: (length: number) => Uint8Array
}

export async function loadHidLibrary(): Promise<HidLibrary> {
  const { default: hid } = await import('node-hid')
  return { devicesAsync: hid.devicesAsync, open: (path) => hid.HIDAsync.open(path) }
}

export class UsbDevices implements DevicePort {
  constructor(private readonly deps: UsbDevicesDeps) {}

  async plugged(): Promise<readonly PluggedDevice[]> {
    const { load, platform } = this.deps
    try {
      const library = await load()
      const entries = await library.devicesAsync(LEDGER_VENDOR, 0)
      return entries.flatMap((entry) =>
        takesCommands(entry, platform) && entry.path !== undefined ? [this.#plugged(library, entry.path)] : [],
      )
    } catch (cause) {
      throw new SignerError('SIGNER_DEVICE_DRIVER', { reason: messageOf(cause).slice(0, 200) }, { cause })
    }
  }

  #plugged(library: HidLibrary, path: string): PluggedDevice {
    return {
      open: async () => {
        try {
          const [high = 0, low = 0] = this.deps.randomBytes(2)
          return new HidChannel(await library.open(path), high * 256 + low)
        } catch (cause) {
          throw new SignerError('SIGNER_DEVICE_ACCESS', { reason: messageOf(cause).slice(0, 200) }, { cause })
        }
      },
    }
  }
}

function takesCommands(entry: HidEntry, platform: NodeJS.Platform): boolean {
  return platform === 'linux' ? entry.interface === 0 : entry.usagePage === COMMAND_PAGE
}

class HidChannel implements DeviceChannel {
  #isClosed = false

  constructor(
    private readonly handle: HidHandle,
    private readonly channel: number,
  ) {}

  async exchange(apdu: Uint8Array): Promise<Uint8Array> {
    for (const packet of framesOf(this.channel, apdu)) await this.#reach(() => this.handle.write([0, ...packet]))
    const reader = new FrameReader(this.channel)
    for (;;) {
      if (this.#isClosed) throw new SignerError('SIGNER_DEVICE_LOST', undefined)
      const packet = await this.#reach(() => this.handle.read(LOOK_MS))
      const answer = packet === undefined || packet.length === 0 ? null : reader.take(packet)
      if (answer !== null) return answer
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      await this.handle.close()
    } catch {
      // unplugged: there is nothing left to close
    }
  }

  async #reach<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (cause) {
      throw new SignerError('SIGNER_DEVICE_LOST', undefined, { cause })
    }
  }
}
