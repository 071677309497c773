import { expect, it } from 'vitest'
import { parseTuning } from './tuning'

const parse = (body: string, type = 'application/json') => parseTuning(type, new TextEncoder().encode(body), 2)

it.each([
  ['{"gpu":1,"power":220,"fan":null}', { device: 1, settings: { power: 220, fan: null } }],
  ['{"gpu":0,"core":1400,"memory":7001.5}', { device: 0, settings: { coreClock: 1400, memoryClock: 7001.5 } }],
  ['{"gpu":0,"reset":true}', { device: 0, reset: true }],
  ['{"gpu":0,"search":"efficiency"}', { device: 0, search: 'efficiency' }],
  ['{"gpu":0,"search":null}', { device: 0, search: null }],
])('reads %s', (body, command) => {
  expect(parse(body)).toEqual(command)
})

it.each([
  '{"gpu":2,"power":220}',
  '{"power":220}',
  '{"gpu":0}',
  '{"gpu":0,"power":"220"}',
  '{"gpu":0,"power":1e999}',
  '{"gpu":0,"volts":1}',
  '{"gpu":0,"reset":false}',
  '{"gpu":0,"reset":true,"power":1}',
  '{"gpu":0,"search":"speed"}',
  '[]',
])('rejects %s and says what is accepted', (body) => {
  expect(parse(body)).toMatchObject({ status: 400, error: expect.stringMatching(/gpu|one JSON object/) })
})
