import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HttpFraming, type HttpPiece } from './http-framing'

const framing = (): HttpFraming => new HttpFraming({ upgradePath: '/channel' })

/** Pieces as text, so that they compare well. */
function pieces(chunks: readonly Buffer[]): string[] {
  const target = framing()
  return chunks.flatMap((chunk) => target.push(chunk).map(shown))
}

function shown(piece: HttpPiece): string {
  if (piece.kind === 'request') return piece.bytes.toString('latin1')
  return piece.kind === 'fault' ? String(piece.fault.status) : piece.kind
}

const requests = [
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab\r\nc',
  'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n',
  'POST /y HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: 1\r\n\r\n',
]

/** Cuts the text at the given places. */
function cut(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, 'latin1')
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : (ends[i - 1] ?? 0), end))
}

it('finds the same requests however the bytes are split', () => {
  const order = fc.array(fc.constantFrom(...requests), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(order, fc.array(fc.nat(2_000), { maxLength: 30 }), (sent, places) => {
      expect(pieces(cut(sent.join('\r\n'), places))).toEqual(sent)
    }),
  )
})

it('never throws and goes silent after an error, whatever comes', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 20 }), (chunks) => {
      const seen = pieces(chunks.map((chunk) => Buffer.from(chunk)))
      return seen.filter((piece) => /^\d{3}$/.test(piece)).length <= 1
    }),
  )
})

it('treats an upgrade as a request unless it is for the channel', () => {
  const upgrade = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

  expect(pieces([Buffer.from(`GET /channel?x HTTP/1.1\r\n${upgrade}`)])).toEqual(['upgrade'])
  expect(pieces([Buffer.from(`GET /other HTTP/1.1\r\n${upgrade}`)])).toEqual([
    'GET /other HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n\r\n',
  ])
})

it('says that a client waits for 100 Continue only while its body is missing', () => {
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n'
  const whole = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab'

  expect(pieces([Buffer.from(head), Buffer.from('ab')])).toEqual(['continue', whole])
  expect(pieces([Buffer.from(`${head}ab`)])).toEqual([whole])
})

it('rejects a body of many tiny chunks before it costs memory', () => {
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'

  expect(pieces([Buffer.from(head), Buffer.from('1\r\na\r\n'.repeat(30_000))])).toEqual(['413'])
})

it('accepts a body of exactly 64 KiB', () => {
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65536\r\n\r\n'

  expect(pieces([Buffer.from(head), Buffer.alloc(65_536, 97)])[0]).toHaveLength(head.length + 65_536)
})
