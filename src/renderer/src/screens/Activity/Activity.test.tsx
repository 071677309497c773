// The log view: what is requested, what a filter leaves, and that only rows in view are rendered.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import type { ActivityView, LogLineView } from '../../../../contract/logs'
import { anEntry, fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { anInfo } from '../../testing/scripted-values'
// Preloaded; the application loads it on its first visit.
import './Activity'

afterEach(cleanup)

const line = (id: number, change: Partial<LogLineView> = {}): LogLineView => ({
  id,
  at: NOW + id,
  level: 'info',
  module: 'miner',
  text: `share ${id}`,
  ...change,
})

/** Answers like the host's ring. */
function withLog(all: LogLineView[]) {
  return (backend: ScriptedBackend): void => {
    fill(backend)
    backend.answer('app.logs', ({ from, count }) => {
      const lines = all.filter(({ id }) => id >= from).slice(0, count)
      return { lines, next: (lines.at(-1)?.id ?? from - 1) + 1 }
    })
  }
}
const rows = () => screen.queryAllByTestId('log-row').map((row) => row.textContent)

describe('the log', () => {
  it('shows the newest first, reads everything there is, and continues with new lines', async () => {
    const all = Array.from({ length: 4_500 }, (_, id) => line(id))
    const { backend, pass } = await open('/activity/all', withLog(all))

    expect((await screen.findAllByTestId('log-row'))[0]?.textContent).toContain('share 4499')
    expect(screen.getByText('4,500 of 4,500 lines')).toBeTruthy()
    expect(screen.getAllByTestId('log-row').length).toBeLessThan(200)
    all.push(line(4_500, { level: 'error', text: 'lost\u202e' }))
    await pass(1_000)

    expect(rows()[0]).toContain('U+202E')
    expect(backend.calls.filter(({ name }) => name === 'app.logs').at(-1)?.params).toMatchObject({ from: 4_500 })
  })

  it('filters by part, level and text', async () => {
    const all = [
      line(0),
      line(1, { module: 'chain' }),
      line(2, { level: 'warn', text: 'hot' }),
      line(3, { level: 'debug' }),
    ]
    await open('/activity/miner', withLog(all))
    await screen.findAllByTestId('log-row')
    expect(rows().length).toBe(2)

    fireEvent.change(screen.getByTestId('log-filter'), { target: { value: 'HOT' } })
    expect(rows().length).toBe(1)
    fireEvent.change(screen.getByTestId('log-filter'), { target: { value: 'nowhere' } })
    expect(screen.getByText('No matching lines')).toBeTruthy()
    fireEvent.change(screen.getByTestId('log-filter'), { target: { value: '' } })
    fireEvent.change(screen.getByTestId('log-level'), { target: { value: 'trace' } })
    expect(rows().length).toBe(3)
  })

  it('stands still while frozen, and catches up afterwards', async () => {
    const all = [line(0)]
    const { pass } = await open('/activity/all', withLog(all))
    await screen.findAllByTestId('log-row')
    fireEvent.click(screen.getByTestId('log-freeze'))
    all.push(line(1))
    await pass(3_000)
    expect(rows().length).toBe(1)

    await act(async () => void fireEvent.click(screen.getByTestId('log-freeze')))
    await pass(0)

    expect(rows().length).toBe(2)
  })

  it('keeps its lines if reading fails, says why, and recovers', async () => {
    const all = [line(0)]
    const { backend, pass } = await open('/activity/all', withLog(all))
    await screen.findAllByTestId('log-row')
    backend.answer('app.logs', () => {
      throw new WireError('CONTRACT_INVALID', { name: 'app.logs', reason: 'broken' })
    })
    await pass(1_000)
    expect(screen.getByRole('alert').textContent).toContain('broken')
    expect(rows().length).toBe(1)

    withLog(all)(backend)
    await pass(1_000)

    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows no audit log to users who may not decide requests', async () => {
    await open('/activity', (backend) => {
      withLog([])(backend)
      backend.answer('app.info', () => anInfo({ access: { control: true, approve: false } }))
    })

    expect(await screen.findByTestId('activity-tab-events')).toBeTruthy()
    expect(screen.queryByTestId('activity-tab-audit')).toBeNull()
  })
})

/** This Blob has no text(). */
function textOf(blob: Blob | undefined): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsText(blob ?? new Blob())
  })
}

describe('the events', () => {
  const device = (id: number, device: number, change: Partial<ActivityView> = {}) =>
    anEntry({
      id,
      module: 'miner',
      message: 'DAG ready',
      fields: [
        { name: 'device', value: String(device) },
        { name: 'epoch', value: '3' },
      ],
      ...change,
    })
  const withEvents = (entries: readonly ActivityView[]) => (backend: ScriptedBackend) => {
    fill(backend)
    backend
      .answer('app.events', ({ before, count }) => ({
        entries: entries.filter(({ id }) => before === null || id < before).slice(-count),
      }))
      .emit('app.activity', { entries: entries.slice(-50) })
  }

  it("are sentences, followed by what those don't say", async () => {
    await open(
      '/activity',
      withEvents([
        device(0, 1),
        anEntry({
          id: 1,
          message: 'block mined',
          fields: [
            { name: 'number', value: '42' },
            { name: 'hash', value: `0x${'a'.repeat(64)}` },
            { name: 'transactions', value: '1' },
          ],
        }),
        anEntry({ id: 2, message: 'something new', fields: [{ name: 'why', value: 'x\u202e' }] }),
        anEntry({ id: 3, message: 'block mined' }),
      ]),
    )
    await screen.findAllByTestId('log-row')

    expect(rows()).toEqual([
      expect.stringContaining('Block mined'),
      expect.stringMatching(/Something new.*why.*U\+202E/),
      expect.stringContaining('Mined block 42 with 1 transaction.'),
      expect.stringContaining('Device 1 finished the DAG for epoch 3.'),
    ])
    expect(screen.getByRole('link', { name: /0xaaaaaa/ }).getAttribute('href')).toBe(`#/node/block/0x${'a'.repeat(64)}`)
  })

  it('are all that is kept, not only the last that were sent', async () => {
    const all = Array.from({ length: 1_200 }, (_, id) => device(id, id))
    const { backend } = await open('/activity', withEvents(all))
    await screen.findByText('1,200 of 1,200 events')

    expect(rows()).toHaveLength(200)
    fireEvent.click(screen.getByTestId('events-more'))
    expect(rows()).toHaveLength(400)
    act(() => void backend.emit('app.activity', { entries: [...all.slice(-49), device(1_200, 7)] }))

    expect(rows()[0]).toContain('Device 7')
    expect(screen.getByText('1,201 of 1,201 events')).toBeTruthy()
  })

  it('are filtered by kind, level, time, and their sentence', async () => {
    const hot = { level: 'warn', message: 'device is too hot, pausing it' } as const
    const pool = { module: 'miner', message: 'pool connected', fields: [{ name: 'pool', value: 'a:1' }] }
    await open('/activity', withEvents([device(0, 0, { at: 1 }), device(1, 1, hot), anEntry({ id: 2, ...pool })]))
    await screen.findAllByTestId('log-row')
    const choose = (testId: string, value: string) =>
      fireEvent.change(screen.getByTestId(testId), { target: { value } })

    choose('event-kind', 'pool')
    expect(rows()).toEqual([expect.stringContaining('Connected to a:1.')])
    choose('event-kind', 'miner')
    expect(rows()).toHaveLength(2)
    choose('log-level', 'warn')
    expect(rows()).toEqual([expect.stringContaining('overheated')])
    choose('log-level', 'info')
    choose('log-filter', 'DAG for EPOCH')
    expect(rows()).toHaveLength(1)
    choose('log-span', '24h')

    expect(screen.getByText('No matching events')).toBeTruthy()
  })

  it('are exported as marked, one JSON object per line', async () => {
    const saved: Blob[] = []
    URL.createObjectURL = (blob) => {
      saved.push(blob as Blob)
      return 'blob:x'
    }
    URL.revokeObjectURL = () => undefined
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await open('/activity', withEvents([device(0, 0), device(1, 1), device(2, 2)]))
    await screen.findAllByTestId('log-row')
    const [first] = screen.getAllByTestId('log-mark')
    if (first === undefined) throw new Error('no row')
    fireEvent.click(first)
    fireEvent.keyDown(first, { key: 'End' })
    expect(document.activeElement).toBe(screen.getAllByTestId('log-mark')[2])
    fireEvent.click(screen.getAllByTestId('log-mark')[2] ?? first)

    fireEvent.click(screen.getByText('Export 2 selected lines'))

    const lines = (await textOf(saved[0])).trim().split('\n')
    expect(lines.map((text) => JSON.parse(text).fields.device)).toEqual(['0', '2'])
  })

  it('come with a support bundle, only with control', async () => {
    const { backend } = await open('/activity', withEvents([]))
    backend.answer('app.supportBundle', () => {
      throw new WireError('CONTRACT_FAILED', { name: 'app.supportBundle' })
    })
    fireEvent.click(await screen.findByTestId('support-bundle'))
    expect((await screen.findByRole('alert')).textContent).toContain('app.supportBundle failed')
    cleanup()

    await open('/activity', (scripted) => {
      withEvents([])(scripted)
      scripted.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })

    expect(await screen.findByTestId('activity-tab-events')).toBeTruthy()
    expect(screen.queryByTestId('support-bundle')).toBeNull()
  })

  it('keep only one row in the Tab order', async () => {
    await open('/activity', withEvents([device(0, 0), device(1, 1)]))
    await screen.findAllByTestId('log-row')

    expect(screen.getAllByTestId('log-mark').map((box) => box.tabIndex)).toEqual([0, -1])
  })

  it('start over after a restart of the program', async () => {
    const { backend } = await open('/activity', withEvents([device(0, 0), device(1, 1)]))
    await screen.findAllByTestId('log-row')

    act(() => void backend.emit('app.activity', { entries: [device(0, 5, { at: NOW + 1_000 })] }))

    expect(rows()).toEqual([expect.stringContaining('Device 5')])
  })

  it('stay as they are while live updates are frozen', async () => {
    const { backend } = await open('/activity', withEvents([device(0, 0)]))
    await screen.findAllByTestId('log-row')
    fireEvent.keyDown(document.body, { key: '.' })

    act(() => void backend.emit('app.activity', { entries: [device(0, 0), device(1, 1)] }))
    expect(rows()).toHaveLength(1)
    fireEvent.click(screen.getByTestId('frozen-bar'))

    expect(rows()).toHaveLength(2)
  })
})
