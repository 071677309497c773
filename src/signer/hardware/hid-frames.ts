// Commands and answers in the 64-byte packets of Ledger's USB HID protocol: channel (2), tag 5 (1), sequence (2), and
// in the first packet the length (2); numbers are big-endian, the last packet is zero-padded.
import { concatBytes } from '../../base/bytes'
import { SignerError } from '../errors'

export const PACKET_BYTES = 64
const HEAD_BYTES = 5
const LENGTH_BYTES = 2
const TAG = 0x05
const MAX_APDU_BYTES = 0xffff

/** @param channel 0..65535 @param apdu at most 65535 bytes */
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
