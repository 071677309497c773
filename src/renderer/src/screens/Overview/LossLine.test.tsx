// The line under the hashrate that says why it was lower: how much, what cost most, and every cause on request.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { LossesView } from '../../../../contract/miner'
import { fill, NOW, open } from '../../testing/open-app'
// Preloaded; the application loads it on its first visit.
import './LossLine'

afterEach(cleanup)

const MINUTE = 60_000
const calm = { restarts: 0, failed: 0, refused: [] }

async function overview(losses: LossesView['devices']): Promise<HTMLElement> {
  await open('/', (backend) => {
    fill(backend)
    backend.answer('miner.losses', () => ({ from: NOW - 10 * MINUTE, to: NOW, devices: [...losses] }))
  })
  return screen.findByTestId('losses')
}

describe('why the hashrate was lower', () => {
  it('is said in words, and by device and time on request', async () => {
    const paused = { kind: 'paused', from: NOW - 2 * MINUTE, to: NOW - MINUTE, reason: 'Api request' } as const
    const hung = { kind: 'silent', from: NOW - 2 * MINUTE, to: null, reason: '' } as const
    const line = await overview([
      { index: 0, ...calm, spans: [paused] },
      { index: 1, ...calm, spans: [hung], restarts: 1, refused: [{ reason: 'low difficulty share', count: 3 }] },
    ])
    expect(line.textContent).toContain('15% of mining time lost in the last 10\u00a0min: Not responding')

    await act(async () => void fireEvent.click(within(line).getByTestId('losses-why')))

    const rows = within(line).getAllByTestId('losses-row')
    expect(rows.map(({ dataset, textContent }) => [dataset.state, textContent])).toEqual([
      ['silent', expect.stringMatching(/^Not respondingDevice 1.*ongoing2\s+min$/)],
      ['paused', expect.stringMatching(/^Paused by you or a program with the control tokenDevice 0.*1\s+min$/)],
    ])
    expect(line.textContent).toContain('Also: 1 restart, no wrong results.')
    expect(within(line).getByTestId('losses-refused').textContent).toBe('3 shares refused: low difficulty share')
  })

  it('is empty on a good day', async () => {
    const line = await overview([{ index: 0, ...calm, spans: [] }])

    expect(line.textContent).toBe('No mining time lost in the last 10\u00a0min')
    expect(within(line).queryByRole('button')).toBeNull()
  })

  it('names the pool that gave no work, and shows its words as text', async () => {
    const from = NOW - 10 * MINUTE
    const line = await overview([
      { index: 0, ...calm, spans: [{ kind: 'waiting', from, to: null, reason: 'pool\u202E.example:1' }] },
    ])

    expect(line.textContent).toContain('No work: pool')
    expect(line.textContent).not.toContain('\u202E')
  })
})
