import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../../base/logger'
import { Secret } from '../../base/secret'
import { ActivityRing } from './activity-ring'

const record = (time: number, change: Partial<LogRecord> = {}): LogRecord => ({
  time,
  level: 'info',
  module: 'miner',
  message: 'DAG ready',
  fields: {},
  ...change,
})
const ids = (entries: readonly { readonly id: number }[]) => entries.map(({ id }) => id)

describe('the activity', () => {
  it('sends the last entries, and gives older ones piece by piece while they are kept', () => {
    const ring = new ActivityRing({ sent: 2, kept: 5 })
    for (let time = 0; time < 12; time++) ring.write(record(time))

    expect(ids(ring.entries())).toEqual([10, 11])
    expect(ids(ring.before(null, 3))).toEqual([9, 10, 11])
    expect(ids(ring.before(9, 3))).toEqual([7, 8])
    expect(ids(ring.before(7, 3))).toEqual([])
  })

  it('keeps nothing below info, and no secret', () => {
    const ring = new ActivityRing()
    ring.write(record(1, { level: 'debug' }))
    ring.write(record(2, { fields: { token: new Secret('hunter2') } }))

    expect(ring.entries().map(({ at, fields }) => [at, fields])).toEqual([[2, [{ name: 'token', value: '***' }]]])
  })
})
