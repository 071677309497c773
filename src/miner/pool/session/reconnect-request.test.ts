import { expect, it } from 'vitest'
import { parsePoolUrl } from '../../../config/values/pool-url'
import { movedEnd } from './stratum-session'

const parsed = parsePoolUrl('stratum+tcp://u@eu.pool.example:3333')
if ('fault' in parsed) throw new Error(parsed.fault)
const { url } = parsed

it('reconnects to the same place if none is named', () => {
  expect(movedEnd([], url)).toMatchObject({ kind: 'moved', host: 'eu.pool.example', port: 3333, waitMs: 0 })
  expect(movedEnd(undefined, url)).toMatchObject({ host: 'eu.pool.example', port: 3333 })
})

it('follows within the same domain and waits as asked, at most a minute', () => {
  expect(movedEnd(['us.pool.example', '4444', 5], url)).toMatchObject({
    host: 'us.pool.example',
    port: 4444,
    waitMs: 5000,
  })
  expect(movedEnd(['us.pool.example', 4444, 9999], url)).toMatchObject({ waitMs: 60_000 })
  expect(movedEnd(['us.pool.example', 4444, 0.0011], url)).toMatchObject({ waitMs: 1 })
})

it.each(['evil.test', '127.0.0.1', 'example', 'poolXexample', 'eu.pool.example.evil.test', 'a b.pool.example'])(
  'stays if the pool wants to send it to %s',
  (host) => {
    expect(movedEnd([host, 1], url)).toMatchObject({ host: 'eu.pool.example', port: 3333 })
  },
)

it('requires three labels under a two-letter registry', () => {
  const british = parsePoolUrl('stratum+tcp://u@a.pool.co.uk:1')
  if ('fault' in british) throw new Error(british.fault)

  expect(movedEnd(['evil.co.uk', 1], british.url)).toMatchObject({ host: 'a.pool.co.uk' })
  expect(movedEnd(['b.pool.co.uk', 1], british.url)).toMatchObject({ host: 'b.pool.co.uk' })
})
