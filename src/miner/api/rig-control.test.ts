import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseRigControl } from './rig-control'

const JSON_TYPE = 'application/json'
const parse = (value: unknown, type: string | undefined = JSON_TYPE) =>
  parseRigControl(type, new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)))
const NONE = { rigs: [], groups: [], labels: {}, all: false }

it.each([
  [{ action: 'pause' }, { action: 'pause', gpu: null }, NONE],
  [
    { action: 'resume', gpu: 2, rigs: ['a'] },
    { action: 'resume', gpu: 2 },
    { ...NONE, rigs: ['a'] },
  ],
  [
    { action: 'restart', groups: ['g'], labels: { site: 'x' }, all: false },
    { action: 'restart', gpu: null },
    { ...NONE, groups: ['g'], labels: { site: 'x' } },
  ],
])('reads %j', (body, command, selection) => {
  expect(parse(body)).toEqual({ command, selection })
})

it("doesn't print a pool's address, which may contain a password", () => {
  const read = parse({ action: 'set-pool', pool: 'stratum+tls://u:geheim@p:1', all: true })

  expect(JSON.stringify(read)).not.toContain('geheim')
  expect('command' in read && 'pool' in read.command && read.command.pool.reveal()).toBe('stratum+tls://u:geheim@p:1')
})

it.each([
  [{ action: 'stop' }, 'action must be pause, resume, restart or set-pool'],
  [{ action: 'Pause' }, 'action must be pause, resume, restart or set-pool'],
  [{ action: 'set-pool' }, 'pool must be the address of a pool, of at most 1024 characters'],
  [{ action: 'set-pool', pool: 'x'.repeat(1_025) }, 'pool must be the address of a pool, of at most 1024 characters'],
  [{ action: 'pause', gpu: '0' }, 'gpu must be an integer from 0'],
  [{ action: 'pause', gpu: null }, 'gpu must be an integer from 0'],
  [{ action: 'pause', gpu: 1.5 }, 'gpu must be an integer from 0'],
  [{ action: 'pause', rigs: 'a' }, 'rigs must be a list of names'],
  [{ action: 'pause', rigs: [''] }, 'rigs must be a list of names'],
  [{ action: 'pause', groups: [1] }, 'groups must be a list of names'],
  [{ action: 'pause', labels: ['site'] }, 'labels must be an object of texts'],
  [{ action: 'pause', labels: { site: 1 } }, 'labels must be an object of texts'],
  [{ action: 'pause', all: 'yes' }, 'all must be true or false'],
  [
    { action: 'pause', groups: ['a'], label: { site: 'x' } },
    'label is not one of action, gpu, pool, rigs, groups, labels, all',
  ],
  [{ action: 'restart', gpu: 0, all: true }, 'gpu is for pause and resume, not for restart'],
  [{ action: 'set-pool', pool: 'p:1', gpu: 0 }, 'gpu is for pause and resume, not for set-pool'],
  [{ action: 'pause', pool: 'p:1' }, 'pool is for set-pool, not for pause'],
  ['[]', 'body must be one JSON object'],
  ['{', 'body must be one JSON object'],
])('rejects %j', (body, error) => {
  expect(parse(body)).toMatchObject({ status: 400, error })
})

it('requires its content type, as the other control call does', () => {
  expect(parse({ action: 'pause' }, 'text/plain')).toMatchObject({ error: 'Content-Type must be application/json' })
})

it('never throws', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => typeof parse(value) === 'object'))
})
