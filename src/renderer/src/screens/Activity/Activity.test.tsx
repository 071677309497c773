// The log as it is looked at: what is asked for, what a filter leaves, and that only rows in sight are drawn.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import type { LogLineView } from '../../../../contract/logs'
import type { ScriptedBackend } from '../../data/scripted'
import { anInfo } from '../../data/scripted-values'
import { fill, NOW, open } from '../../testing/open-app'
// Loaded before anything is looked for; the application loads it when it is first visited.
import './Activity'

afterEach(cleanup)

const line = (id: number, change: Partial<LogLineView> = {}): LogLineView => ({
  ...{ id, at: NOW + id, level: 'info', module: 'miner', text: `share ${id}` },
  ...change,
})

/** Answers like the ring of the host does. */
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
  it('shows the newest first, reads all that there is, and goes on with what is new', async () => {
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
    expect(screen.getByText('No line matches')).toBeTruthy()
    fireEvent.change(screen.getByTestId('log-filter'), { target: { value: '' } })
    fireEvent.change(screen.getByTestId('log-level'), { target: { value: 'trace' } })
    expect(rows().length).toBe(3)
  })

  it('stands still while it is frozen, and catches up afterwards', async () => {
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

  it('keeps what it has when reading fails, says why, and recovers', async () => {
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

  it('has no record for who may not decide requests', async () => {
    await open('/activity', (backend) => {
      withLog([])(backend)
      backend.answer('app.info', () => anInfo({ access: { control: true, approve: false } }))
    })

    expect(await screen.findByTestId('activity-tab-events')).toBeTruthy()
    expect(screen.queryByTestId('activity-tab-audit')).toBeNull()
  })
})
