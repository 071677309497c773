import { describe, expect, it } from 'vitest'
import { encodeFrame, FrameReader } from './byte-frames'

const MESSAGE = {
  t: 'call',
  id: 7,
  params: { password: Uint8Array.of(1, 2, 3), salt: new Uint8Array(32).fill(9), text: 'ä' },
}

describe('messages over a byte stream', () => {
  it('come out as they went in, byte arrays too, in pieces of any size', () => {
    const stream = Uint8Array.from([
      ...encodeFrame(MESSAGE, 1_000),
      ...encodeFrame({ empty: new Uint8Array(0) }, 1_000),
    ])
    for (const size of [1, 2, 7, 64, stream.length]) {
      const reader = new FrameReader(1_000)
      const messages: unknown[] = []
      for (let at = 0; at < stream.length; at += size) messages.push(...reader.read(stream.slice(at, at + size)))
      expect(messages).toEqual([MESSAGE, { empty: new Uint8Array(0) }])
    }
  })

  it('never turn byte arrays into text, and are wiped after reading', () => {
    const frame = encodeFrame({ password: new TextEncoder().encode('secret') }, 1_000)
    expect(new TextDecoder().decode(frame)).toContain('secret')
    expect(new TextDecoder().decode(frame).indexOf('secret')).toBeGreaterThan(
      new TextDecoder().decode(frame).indexOf('$bytes'),
    )

    new FrameReader(1_000).read(frame)

    expect(frame.every((byte) => byte === 0)).toBe(true)
  })

  it("are rejected if they are longer than the reader's limit", () => {
    expect(() => encodeFrame({ bytes: new Uint8Array(1_000) }, 1_000)).toThrow(/a message of \d+ bytes/)
  })

  it.each([
    ['a length beyond the limit', [0xff, 0xff, 0xff, 0xff]],
    ['a length without room for its text', [0, 0, 0, 3]],
    ['a text that is longer than the message', [0, 0, 0, 4, 0, 0, 0, 9]],
    ['no JSON', [0, 0, 0, 5, 0, 0, 0, 1, 0x7b]],
  ])("aren't messages: %s", (_name, bytes) => {
    expect(() => new FrameReader(1_000).read(Uint8Array.from(bytes))).toThrow()
  })

  it.each(['{"$bytes":[0,9]}', '{"$bytes":[-1,2]}', '{"$bytes":["0",1]}', '{"$bytes":[1e99,1]}', '{"$bytes":null}'])(
    "can't point outside of themselves: %s",
    (json) => {
      const text = new TextEncoder().encode(json)
      const frame = Uint8Array.from([0, 0, 0, 4 + text.length, 0, 0, 0, text.length, ...text])

      const [message] = new FrameReader(1_000).read(frame)

      const isEmpty = message instanceof Uint8Array && message.length === 0
      expect(isEmpty || !(message instanceof Uint8Array)).toBe(true)
    },
  )
})
