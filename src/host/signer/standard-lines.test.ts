import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { readStream } from '../../files/wiped-input'
import { standardLines } from './standard-lines'

function opened(): {
  readonly input: PassThrough
  readonly lines: (string | null)[]
  readonly sent: string[]
  readonly typed: (name: string) => string | null
  ended: boolean
} {
  const input = new PassThrough()
  const sent: string[] = []
  const channel = standardLines({
    standardInput: (listener) => readStream(input, listener),
    standardOutput: (line) => void sent.push(line),
  })
  const typed = (name: string): string | null => {
    const text = channel.typed?.(name) ?? null
    return text === null ? null : new TextDecoder().decode(text)
  }
  const state = { input, lines: [] as (string | null)[], sent, typed, ended: false }
  channel.open({
    onLine: (line) => void state.lines.push(line),
    onEnd: () => {
      state.ended = true
    },
  })
  channel.send('out')
  return state
}

const turn = () => new Promise((done) => setImmediate(done))

it('splits its input into lines, also inside a character', async () => {
  const state = opened()
  const bytes = Buffer.from('{"a":"ü"}\n{"b":1}\n{"c"')

  state.input.write(bytes.subarray(0, 7))
  state.input.write(bytes.subarray(7))
  await turn()

  expect(state.lines).toEqual(['{"a":"ü"}', '{"b":1}'])
  expect(state.sent).toEqual(['out'])
})

it('reports that the other end has closed', async () => {
  const state = opened()

  state.input.end()
  await turn()
  await turn()

  expect(state.ended).toBe(true)
})

it('ends immediately without such a stream', () => {
  let ended = false
  const end = (): void => {
    ended = true
  }

  standardLines({ standardOutput: () => undefined }).open({ onLine: () => undefined, onEnd: end })

  expect(ended).toBe(true)
})

it.each([
  ['{"jsonrpc":"2.0","id":1,"result":{"text":"a password"}}', 'a password'],
  ['{"id":1,"result":{"x":1,"text" : "pässwörd 🔑"}}', 'pässwörd 🔑'],
  [JSON.stringify({ result: { text: 'quotes " and \\ and \t' } }), 'quotes " and \\ and \t'],
  [String.raw`{"result":{"text":"\u00e4\uD83D\uDD11\/x"}}`, 'ä🔑/x'],
  ['{"result":{"text":""}}', ''],
])('keeps what was typed out of the line %s', async (line, text) => {
  const state = opened()
  const chunks = [...Buffer.from(`${line}\n`)].map((byte) => Buffer.from([byte]))
  for (const chunk of chunks) state.input.write(chunk)
  await turn()
  const shown = state.lines[0] ?? ''
  const name: unknown = JSON.parse(shown).result.text

  if (text !== '') expect(shown).not.toContain(text)
  expect(state.typed(String(name))).toBe(text)
  expect(state.typed(String(name))).toBeNull()
  expect(chunks.every((chunk) => chunk[0] === 0)).toBe(true)
})

it.each([
  '{"text":7}',
  '{"a":"text","b":1}',
  '{"text":"no end',
  String.raw`{"text":"\x"}`,
  String.raw`{"a":"\"text\":\"b\""}`,
])('leaves the line %s as it is', async (line) => {
  const state = opened()
  state.input.write(`${line}\n`)
  await turn()

  expect(state.lines).toEqual([line])
})

it('reports a line that is too long, and reads the next', async () => {
  const state = opened()
  for (let i = 0; i < 17; i++) state.input.write(Buffer.alloc(1024 * 1024, 'x'))
  state.input.write('\n{}\n')
  await turn()

  expect(state.lines).toEqual([null, '{}'])
})
