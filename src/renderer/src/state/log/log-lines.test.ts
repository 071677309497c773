import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../../base/testing/fake-clock'
import type { LogLineView } from '../../../../contract/logs'
import type { OpenFilterPort } from './filter-port'
import { type FilterAnswer, LineFilter } from './line-filter'
import { ALL_LINES, asJsonLines, type LogFilter, LogLines, PATTERN_LIMIT_MS } from './log-lines'

const line = (id: number, change: Partial<LogLineView> = {}): LogLineView => ({
  id,
  at: id,
  level: 'info',
  module: 'miner',
  text: `share ${id}`,
  ...change,
})
const ids = (lines: LogLines<LogLineView>) => lines.allShown().map(({ id }) => id)

function begin(limit = 100, openThread: OpenFilterPort | null = null) {
  const clock = new FakeClock()
  const changes: string[] = []
  const lines = new LogLines<LogLineView>(limit, { clock, openThread, onChange: () => changes.push('change') })
  const filter = (change: Partial<LogFilter>) => lines.setFilter({ ...ALL_LINES, ...change })
  filter({})
  return { lines, clock, changes, filter }
}

/** A worker within this thread, which answers on command. */
function lateThread() {
  const closed: string[] = []
  const held: { answers: FilterAnswer[]; opened: number; lose: () => void } = {
    answers: [],
    opened: 0,
    lose: () => undefined,
  }
  let deliver: (answer: FilterAnswer) => void = () => undefined
  const open: OpenFilterPort = ({ onAnswer, onLost }) => {
    held.opened += 1
    held.lose = onLost
    deliver = onAnswer
    const filter = new LineFilter({ answer: (answer) => held.answers.push(answer), later: (work) => work() })
    return { ask: (question) => filter.take(question), close: () => closed.push('close') }
  }
  const flush = (): void => {
    for (const answer of held.answers.splice(0)) deliver(answer)
  }
  return { held, closed, open, flush, answer: (answer: FilterAnswer) => deliver(answer) }
}

describe('log lines', () => {
  it('are filtered by module and its parts, level, time and literal text', () => {
    const { lines, filter } = begin()
    lines.add([
      line(0, { module: 'miner.pool' }),
      line(1, { module: 'minerals' }),
      line(2, { level: 'error', text: 'A (b)' }),
    ])
    const filtered = (change: Partial<LogFilter>) => {
      filter(change)
      return ids(lines)
    }

    expect(filtered({})).toEqual([0, 1, 2])
    expect(filtered({ modules: ['miner'] })).toEqual([0, 2])
    expect(filtered({ least: 'warn' })).toEqual([2])
    expect(filtered({ from: 1 })).toEqual([1, 2])
    expect(filtered({ text: 'a (B)' })).toEqual([2])
    expect(filtered({ text: '.*' })).toEqual([])
    expect(filtered({ text: 'POOL' })).toEqual([0])
  })

  it('are given newest first, with later ones in front', () => {
    const { lines, filter } = begin()
    lines.add([line(1), line(2)])
    filter({ text: 'share' })
    lines.add([line(3), line(4)])

    expect([0, 1, 2, 3, 4].map((index) => lines.shown(index)?.id)).toEqual([4, 3, 2, 1, undefined])
  })

  it("render nothing again for what isn't wanted", () => {
    const { lines, changes, filter } = begin()
    filter({ text: 'share 2' })
    lines.add([line(1), line(2)])
    const before = changes.length

    lines.add([line(3)])

    expect(ids(lines)).toEqual([2])
    expect(changes.length).toBe(before)
  })

  it('drop the oldest, even during a search', () => {
    const { lines, filter } = begin(10)
    for (let id = 0; id < 35; id++) lines.add([line(id)])
    filter({ text: 'share 3' })

    expect(lines.count).toBeLessThanOrEqual(11)
    expect(ids(lines)).toEqual([30, 31, 32, 33, 34])
  })

  it("keep the previous filter's results until the first ones of another are found", () => {
    const thread = lateThread()
    const { lines, filter } = begin(100, thread.open)
    lines.add([line(1), line(2)])
    thread.flush()
    filter({ text: 'share 2' })
    expect(ids(lines)).toEqual([1, 2])

    thread.flush()

    expect(ids(lines)).toEqual([2])
  })

  it('ignore an answer to an older filter', () => {
    const thread = lateThread()
    const { lines, filter } = begin(100, thread.open)
    lines.add([line(1), line(2)])
    filter({ text: 'share 1' })
    filter({ text: 'share 2' })

    thread.flush()

    expect(ids(lines)).toEqual([2])
  })

  it('are exported as one JSON object per line', () => {
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

describe('a pattern', () => {
  it('finds lines ignoring case, and explains an invalid one', () => {
    const thread = lateThread()
    const { lines, filter } = begin(100, thread.open)
    lines.add([line(1), line(22)])
    filter({ text: '^SHARE \\d{2}$', isPattern: true })
    thread.flush()
    expect(ids(lines)).toEqual([22])

    filter({ text: '(', isPattern: true })

    expect(lines.problem).toMatchObject({ kind: 'bad' })
    expect(ids(lines)).toEqual([22])
  })

  it('is stopped if a piece takes too long, and another filter starts with a new thread', () => {
    const thread = lateThread()
    const { lines, clock, filter } = begin(100, thread.open)
    lines.add([line(1)])
    thread.flush()
    filter({ text: 'x', isPattern: true })
    const begun = thread.held.answers.find(({ t }) => t === 'begin')
    if (begun !== undefined) thread.answer(begun)
    thread.held.answers.splice(0)
    clock.advance(PATTERN_LIMIT_MS - 1)
    expect(lines.problem).toBeNull()
    clock.advance(1)
    expect([lines.problem, thread.closed.length]).toEqual([{ kind: 'slow' }, 1])

    filter({ text: 'share' })
    thread.flush()

    expect([lines.problem, thread.held.opened, ids(lines)]).toEqual([null, 2, [1]])
  })

  it("isn't tried if it could not be stopped", () => {
    const { lines, filter } = begin()

    filter({ text: 'a', isPattern: true })

    expect(lines.problem).toEqual({ kind: 'unavailable' })
  })

  it('falls back to plain text when the thread is lost', () => {
    const thread = lateThread()
    const { lines, filter } = begin(100, thread.open)
    lines.add([line(1)])

    thread.held.lose()
    filter({ text: 'share' })

    expect(ids(lines)).toEqual([1])
  })
})

describe('the search', () => {
  it('gives first results before it has searched everything, newest first', () => {
    const answers: FilterAnswer[] = []
    const waiting: (() => void)[] = []
    const search = new LineFilter({
      answer: (answer) => answers.push(answer),
      later: (work) => waiting.push(work),
    })
    const all = Array.from({ length: 25_000 }, (_, at) => ({ at, rank: 2, module: 'm', text: `n${at}` }))
    search.take({ t: 'add', lines: all })
    const query = { modules: [], minRank: 0, from: null, text: 'n1', isPattern: false }
    search.take({ t: 'find', job: 1, query })

    expect(answers.at(-1)).toMatchObject({ t: 'found', isDone: false })
    const first = answers.at(-1)
    expect(first?.t === 'found' ? first.places[0] : null).toBe(19_999)
    search.take({ t: 'find', job: 2, query: { ...query, text: 'n24999' } })
    while (waiting.length > 0) waiting.shift()?.()

    expect(answers.filter(({ t, job }) => t === 'found' && job === 1)).toHaveLength(1)
    expect(answers.filter(({ t, job }) => t === 'found' && job === 2)).toHaveLength(3)
  })
})
