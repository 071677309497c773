import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Controllable, parseControl, runControl } from './control'

const JSON_TYPE = 'application/json'
const parse = (body: string, contentType: string | undefined = JSON_TYPE, deviceCount = 3) =>
  parseControl({ contentType, body: Buffer.from(body), deviceCount })
const refused = (error: string) => ({ status: 400, error })

it.each([
  ['{"action":"pause"}', { action: 'pause', device: null }],
  ['{"action":"pause","gpu":0}', { action: 'pause', device: 0 }],
  ['{"action":"resume","gpu":2}', { action: 'resume', device: 2 }],
  ['{"action":"resume","gpu":1.0}', { action: 'resume', device: 1 }],
  ['{"action":"resume","gpu":10e-1}', { action: 'resume', device: 1 }],
  ['{"action":"restart"}', { action: 'restart' }],
  ['{"action":"restart","gpu":99}', { action: 'restart' }],
  ['{"action":"restart","gpu":-1}', { action: 'restart' }],
  [' \n{"action":"pause"}\n', { action: 'pause', device: null }],
])('takes %s', (body, command) => {
  expect(parse(body)).toEqual(command)
})

it.each(['null', '1.5', '"0"', 'true', '-1', '3', '[]', '{}', '1e400'])('rejects gpu %s', (gpu) => {
  expect(parse(`{"action":"pause","gpu":${gpu}}`)).toEqual(refused('gpu must be an integer from 0 to 2'))
})

it.each(['null', '1.5', '"0"', 'true', '[]'])('rejects a restart with a gpu of a wrong type: %s', (gpu) => {
  expect(parse(`{"action":"restart","gpu":${gpu}}`)).toEqual(refused('gpu must be an integer from 0 to 2'))
})

it.each(['{}', '{"action":"Pause"}', '{"action":null}', '{"action":"stop"}', '{"action":["pause"]}', '{"gpu":0}'])(
  'rejects the action of %s',
  (body) => {
    expect(parse(body)).toEqual(refused('action must be pause, resume or restart'))
  },
)

it.each(['{"action":"pause","device":1}', '{"device":1}'])('names the member of %s that nobody reads', (body) => {
  expect(parse(body)).toEqual(refused('device is not one of action, gpu'))
})

it.each(['', '[]', '[{"action":"pause"}]', '"pause"', 'null', '{', '{"action":"pause"}x', '\ufeff{"action":"pause"'])(
  'rejects the body %j',
  (body) => {
    expect(parse(body)).toEqual(refused('body must be one JSON object'))
  },
)

it("rejects bytes that aren't UTF-8", () => {
  const body = Buffer.from([...Buffer.from('{"action":"pause","x":"'), 0xff, ...Buffer.from('"}')])

  expect(parseControl({ contentType: JSON_TYPE, body, deviceCount: 1 })).toEqual(
    refused('body must be one JSON object'),
  )
})

it.each([undefined, '', 'text/plain', 'application/jsonx', 'application/x-www-form-urlencoded', 'text/json'])(
  'rejects the content type %s before reading the body',
  (contentType) => {
    expect(parseControl({ contentType, body: Buffer.from('{'), deviceCount: 1 })).toEqual(
      refused('Content-Type must be application/json'),
    )
  },
)

it.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="x"'])(
  'accepts the content type %s',
  (contentType) => {
    expect(parse('{"action":"pause"}', contentType)).toEqual({ action: 'pause', device: null })
  },
)

it('accepts a gpu exactly when one has that index', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 64 }), (gpu, deviceCount) => {
      const parsed = parse(`{"action":"pause","gpu":${gpu}}`, JSON_TYPE, deviceCount)
      return 'status' in parsed === (gpu < 0 || gpu >= deviceCount)
    }),
  )
})

it('never throws, whatever the body', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.option(fc.string()), (body, contentType) => {
      parseControl({ contentType: contentType ?? undefined, body, deviceCount: 1 })
    }),
  )
})

it('does what the command says', async () => {
  const calls: string[] = []
  const miner: Controllable = {
    pause: (device) => void calls.push(`pause ${device}`),
    resume: (device) => void calls.push(`resume ${device}`),
    restart: async () => void calls.push('restart'),
  }

  await runControl({ action: 'pause', device: 1 }, miner)
  await runControl({ action: 'resume', device: null }, miner)
  await runControl({ action: 'restart' }, miner)

  expect(calls).toEqual(['pause 1', 'resume null', 'restart'])
})
