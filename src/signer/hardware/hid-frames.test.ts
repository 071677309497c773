import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../base/bytes'
import { fromHex } from '../../base/hex'
import { FrameReader, framesOf, PACKET_BYTES } from './usb-devices'

describe('packets of the USB protocol', () => {
  it('have channel, tag, sequence and length where the device expects them', () => {
    const [packet, ...others] = framesOf(0x1234, Uint8Array.of(0xe0, 0x06, 0, 0, 0))

    expect(others).toEqual([])
    expect(packet).toEqual(concatBytes(fromHex('0x12340500000005e006000000') ?? new Uint8Array(), new Uint8Array(52)))
  })

  it("return what was put into them, skipping other programs' packets", () => {
    const apdu = fc.uint8Array({ maxLength: 1_000 })
    const foreign = fc.uint8Array({ minLength: PACKET_BYTES, maxLength: PACKET_BYTES })
    fc.assert(
      fc.property(apdu, fc.nat(0xffff), foreign, (bytes, channel, noise) => {
        const reader = new FrameReader(channel)
        noise.set([(channel >> 8) ^ 1, channel & 0xff])
        const answers = framesOf(channel, bytes).flatMap((packet) => [reader.take(noise), reader.take(packet)])
        expect(answers.filter((answer) => answer !== null)).toEqual([bytes])
      }),
      { numRuns: 200 },
    )
  })

  it('that are malformed end the exchange or are skipped, and never give more than was announced', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: PACKET_BYTES }), { maxLength: 30 }), (packets) => {
        const reader = new FrameReader(0)
        try {
          for (const packet of packets) {
            packet.set([0, 0, 5].slice(0, packet.length))
            const answer = reader.take(packet)
            if (answer !== null) return answer.length <= 0xffff
          }
          return true
        } catch (error) {
          return error instanceof Error && 'code' in error && error.code === 'SIGNER_DEVICE_ANSWER'
        }
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['too short', Uint8Array.of(0, 0, 5, 0)],
    ['another tag', Uint8Array.of(0, 0, 4, 0, 0, 0, 1, 0)],
    ['another place', Uint8Array.of(0, 0, 5, 0, 1, 0, 1, 0)],
  ])('are rejected: %s', (_what, packet) => {
    expect(() => new FrameReader(0).take(packet)).toThrow("the Ledger's answer cannot be used")
  })

  it("don't hold what is too long for a command", () => {
    expect(() => framesOf(0, new Uint8Array(0x10000))).toThrow(RangeError)
  })
})
