import { describe, expect, it } from 'vitest'
import type { RigFiguresView, RigView } from '../../../../contract/rigs'
import { aRig, aRigGpu, someFigures } from '../../testing/scripted-rigs'
import { layOut } from './RigWall'
import { compareVersions, countOf, FIRST_QUERY, factsOf, matching, rigRows, worstFirst } from './rig-rows'

const rig = (name: string, figures: Partial<RigFiguresView> = {}, change: Partial<RigView> = {}): RigView =>
  aRig(name, { usualHashrate: 59e6, figures: someFigures(figures), ...change })
const at = (s60: number) => ({
  hashrate: { now: s60, s60, m15: s60, effective: s60 },
  gpus: [aRigGpu({ hashrate: { now: s60, s60, m15: s60 } })],
})
const hot = (memory: number) => ({ gpus: [aRigGpu({ temperature: { core: 60, hotspot: 70, memory } })] })
const offline = { online: false, error: 'no route', ageSeconds: 60 }

const names = (rows: ReturnType<typeof rigRows>): readonly string[] =>
  rows.map((row) => (row.kind === 'rig' ? row.facts.rig.name : `[${row.name}]`))

describe('the state of a rig', () => {
  it.each([
    ['offline', rig('a', {}, offline)],
    ['offline', rig('a', {}, { ...offline, figures: null, ageSeconds: null })],
    ['stopped', rig('a', at(0))],
    ['troubled', rig('a', { pool: { connected: true, host: 'p:1', warning: 'rejects every share' } })],
    ['troubled', rig('a', { pool: { connected: false, host: 'p:1', warning: '' } })],
    ['troubled', rig('a', { shares: { accepted: 9, rejected: 11, failed: 0 } })],
    ['slow', rig('a', at(50e6))],
    ['hot', rig('a', hot(96))],
    ['paused', rig('a', { gpus: [aRigGpu({ paused: true, hashrate: { now: 0, s60: 0, m15: 0 } })] })],
    ['online', rig('a', at(58e6))],
    // A few shares tell nothing, and an API of another program may not know its pool.
    ['online', rig('a', { shares: { accepted: 1, rejected: 2, failed: 0 } })],
    ['online', rig('a', { pool: { connected: false, host: '', warning: '' } })],
    ['unknown', rig('a', {}, { figures: null })],
  ])('is %s', (state, one) => {
    expect(factsOf([one])[0]?.state).toBe(state)
  })

  it('calls nothing slow or stopped in the first two minutes, nor without a usual hashrate', () => {
    expect(factsOf([rig('a', { ...at(0), uptimeSeconds: 119 })])[0]?.state).toBe('online')
    expect(factsOf([rig('a', at(1e6), { usualHashrate: null })])[0]).toMatchObject({ state: 'online', usual: null })
  })

  it('is unknown where the rig answers without one usable number', () => {
    const none = { now: 0, s60: 0, m15: 0, effective: 0 }
    const shares = { accepted: 0, rejected: 0, failed: 0 }
    const mute = rig('a', { hashrate: none, shares, uptimeSeconds: 0, powerWatts: 0, gpus: [] })
    expect(factsOf([mute])[0]).toMatchObject({
      state: 'unknown',
      rate: null,
      uptime: null,
      power: null,
      rejected: null,
      hottest: null,
    })
    expect(factsOf([rig('a', { ...at(0), uptimeSeconds: 5 })])[0]).toMatchObject({ rate: 0, uptime: 5 })
  })

  it('counts no figure of an offline rig as current', () => {
    expect(factsOf([rig('a', hot(110), offline)])[0]).toMatchObject({ mining: 0, heat: null, usual: null, rate: 59e6 })
  })

  it('has the heat of its hottest GPU, by the levels of alarms', () => {
    expect([94, 95, 104, 105].map((memory) => factsOf([rig('a', hot(memory))])[0]?.heat)).toEqual([
      null,
      'warn',
      'warn',
      'danger',
    ])
  })
})

describe('versions', () => {
  it.each([
    ['0.9.0', '0.10.0'],
    ['0.1.0-beta.1', '0.1.0'],
    ['v1.2', '1.2.1'],
  ])('%s is older than %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0)
    expect(compareVersions(newer, older)).toBeGreaterThan(0)
  })
})

describe('the rows of the rigs', () => {
  const all = factsOf([
    rig('rig-10', { ...at(58e6), version: '0.1.0' }, { group: 'rack 1' }),
    rig('rig-9', { ...at(40e6), version: '0.2.0' }, { group: 'rack 1' }),
    rig('rig-1', { version: '0.2.0', ...hot(101) }, { group: 'rack 2' }),
    rig('rig-2', { powerWatts: 0, version: '0.2.0' }, { ...offline, group: 'rack 2' }),
  ])

  it('are in the order of their names, numbers as numbers', () => {
    expect(names(rigRows(all, FIRST_QUERY, new Set()))).toEqual(['rig-1', 'rig-2', 'rig-9', 'rig-10'])
  })

  it('are sorted by any column, with unknown values last in both directions', () => {
    const by = (isDescending: boolean) =>
      names(rigRows(all, { ...FIRST_QUERY, sort: 'usual', isDescending }, new Set()))

    expect(by(false)).toEqual(['rig-9', 'rig-10', 'rig-1', 'rig-2'])
    expect(by(true)).toEqual(['rig-1', 'rig-10', 'rig-9', 'rig-2'])
    expect(names(rigRows(all, { ...FIRST_QUERY, sort: 'state' }, new Set()))[0]).toBe('rig-2')
  })

  it('are filtered by state and by every typed word', () => {
    expect((['all', 'hot', 'slow', 'offline', 'old'] as const).map((filter) => countOf(all, filter))).toEqual([
      4, 1, 1, 1, 1,
    ])
    expect(matching(all, { text: 'RACK 9 0.2', filter: 'all' }).map(({ rig: { name } }) => name)).toEqual(['rig-9'])
  })

  it('are grouped with subtotals over online rigs; a closed group hides its rigs', () => {
    const rows = rigRows(all, { ...FIRST_QUERY, grouping: 'group' }, new Set(['rack 2']))

    expect(names(rows)).toEqual(['[rack 1]', '[rack 2]', 'rig-1', 'rig-2'])
    const [first, second] = rows.filter((row) => row.kind === 'group').map(({ sums }) => sums)
    expect(first).toMatchObject({ offline: 0, rate: 98e6, gpus: 2, mining: 2, old: 1, model: 'RTX 3070' })
    expect(second).toMatchObject({
      offline: 1,
      troubled: 1,
      rate: 59e6,
      gpus: 2,
      mining: 1,
      heat: 'warn',
      hottest: 101,
      power: 118,
    })
    expect(second?.usual).toBeCloseTo(0.5)
    expect(first?.efficiency).toBeCloseTo(98e6 / 236)
  })

  it('of a phone begin with the worst, and leave out what is fine', () => {
    expect(worstFirst(all).map(({ rig: { name } }) => name)).toEqual(['rig-2', 'rig-9', 'rig-1'])
  })
})

describe('the wall', () => {
  const gpus = Array.from({ length: 12 }, () => aRigGpu())
  const many = factsOf(Array.from({ length: 200 }, (_, at) => rig(`rig-${at}`, { gpus })))

  it('puts the rigs of a wide group side by side, so that 200 of them stay within the height', () => {
    const { cells, labels, height } = layOut([{ name: '', rigs: many }], 1_100, 270)

    expect(cells).toHaveLength(200 * 12)
    expect(height).toBeLessThanOrEqual(270)
    expect(new Set(cells.map(({ x, y }) => `${x} ${y}`)).size).toBe(cells.length)
    const right = Math.max(...cells.map(({ x, size }) => x + size))
    expect(right).toBeLessThanOrEqual(1_100)
    expect(Math.min(...cells.map(({ y }) => y))).toBeGreaterThanOrEqual(0)
    expect(labels[0]?.x).toBeCloseTo((right + 4) / 2, -1)
  })

  it('stacks the rigs of a narrow group', () => {
    const racks = Array.from({ length: 25 }, (_, at) => ({ name: `${at}`, rigs: many.slice(8 * at, 8 * at + 8) }))
    const { cells } = layOut(racks, 1_100, 270)

    const inFirst = cells.filter(({ group }) => group === '0')
    expect(Math.max(...inFirst.map(({ x, size }) => x + size))).toBeLessThanOrEqual(44)
    expect(new Set(inFirst.map(({ facts }) => facts.rig.name)).size).toBe(8)
  })
})
