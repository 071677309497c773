import { describe, expect, it } from 'vitest'
import type { LogLineView } from '../../../contract/logs'
import { asJsonLines, type LogFilter, LogLines } from './log-lines'

const line = (id: number, change: Partial<LogLineView> = {}): LogLineView => ({
  ...{ id, at: id, level: 'info', module: 'miner', text: `share ${id}` },
  ...change,
})
const all: LogFilter = { modules: [], least: 'trace', text: '' }
const ids = (lines: LogLines) => lines.shown.map(({ id }) => id)

describe('log lines', () => {
  it('are filtered by module and its parts, level and literal text', () => {
    const lines = new LogLines(100)
    lines.add([
      line(0, { module: 'miner.pool' }),
      line(1, { module: 'minerals' }),
      line(2, { level: 'error', text: 'A (b)' }),
    ])
    const filtered = (change: Partial<LogFilter>) => {
      lines.setFilter({ ...all, ...change })
      return ids(lines)
    }

    expect(filtered({})).toEqual([0, 1, 2])
    expect(filtered({ modules: ['miner'] })).toEqual([0, 2])
    expect(filtered({ least: 'warn' })).toEqual([2])
    expect(filtered({ text: 'a (B)' })).toEqual([2])
    expect(filtered({ text: '.*' })).toEqual([])
    expect(filtered({ text: 'POOL' })).toEqual([0])
  })

  it('filter what comes later, too, and draw nothing anew for what is not wanted', () => {
    const lines = new LogLines(100)
    lines.setFilter({ ...all, text: 'share 2' })
    lines.add([line(1), line(2)])
    const before = lines.shown

    lines.add([line(3)])

    expect(ids(lines)).toEqual([2])
    expect(lines.shown).toBe(before)
  })

  it('forget the oldest', () => {
    const lines = new LogLines(10)
    for (let id = 0; id < 35; id++) lines.add([line(id)])

    expect(lines.count).toBeLessThanOrEqual(11)
    expect(ids(lines).at(-1)).toBe(34)
  })

  it('are exported one JSON object a line', () => {
    expect(
      asJsonLines([line(0), line(1, { text: 'a\n"b"' })])
        .split('\n')
        .map((text) => JSON.parse(text)),
    ).toEqual([
      { time: '1970-01-01T00:00:00.000Z', level: 'info', module: 'miner', text: 'share 0' },
      { time: '1970-01-01T00:00:00.001Z', level: 'info', module: 'miner', text: 'a\n"b"' },
    ])
  })
})
