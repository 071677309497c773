import { expect, it } from 'vitest'
import { patienceMs, TextSink } from './text-sink'

function sinkTo(sent: string[], accepts: () => boolean = () => true, now: () => number = () => 0): TextSink {
  const send = (chunk: string | Uint8Array): boolean => {
    sent.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))
    return accepts()
  }
  return new TextSink({ send, now })
}

it('sends its text in order, in chunks', () => {
  const sent: string[] = []
  const sink = sinkTo(sent)
  const piece = 'x'.repeat(1_000)
  for (let i = 0; i < 300; i++) sink.write(piece)
  sink.write('end')
  sink.flush()

  expect(sent.length).toBeGreaterThan(1)
  expect(sent.join('')).toBe(`${piece.repeat(300)}end`)
})

it('goes back to a mark while nothing after it was sent', () => {
  const sent: string[] = []
  const sink = sinkTo(sent)
  sink.write('kept')
  const mark = sink.mark()
  sink.write('dropped')

  expect(sink.rewind(mark)).toBe(true)
  sink.flush()
  expect(sent).toEqual(['kept'])
})

it('refuses to go back past what was sent', () => {
  const sink = sinkTo([])
  const mark = sink.mark()
  sink.write('gone')
  sink.flush()

  expect(sink.rewind(mark)).toBe(false)
})

it('closes if its chunks are no longer read', () => {
  const sent: string[] = []
  const sink = sinkTo(sent, () => false)
  sink.write('a')
  sink.flush()
  sink.write('b')
  sink.flush()

  expect(sink.isOpen).toBe(false)
  expect(sent).toEqual(['a'])
})

it('counts the time of waiting for its reader', () => {
  let time = 0
  const sink = sinkTo(
    [],
    () => {
      time += 40
      return true
    },
    () => time,
  )
  sink.write('a')
  sink.flush()

  expect(sink.waitedMs).toBe(40)
})

it('is patient with a reader that stalls for a while, and with a slow one that keeps reading', () => {
  expect(patienceMs(17, 0)).toBe(60_000)
  expect(patienceMs(30, 119_000)).toBe(1_000)
  expect(patienceMs(30, 120_000)).toBe(0)
  expect(patienceMs(1_600, 600_000)).toBe(60_000)
})
