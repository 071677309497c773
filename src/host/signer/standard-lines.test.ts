import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { standardLines } from './standard-lines'

function opened(): {
  readonly input: PassThrough
  readonly lines: (string | null)[]
  readonly sent: string[]
  ended: boolean
} {
  const input = new PassThrough()
  const state = { input, lines: [] as (string | null)[], sent: [] as string[], ended: false }
  const channel = standardLines({ standardInput: () => input, standardOutput: (line) => void state.sent.push(line) })
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
