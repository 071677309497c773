// The database check: confirmed first, followed while the node is stopped, and the message for each result.
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import type { DatabaseJobView } from '../../../../contract/node-control'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aHead } from '../../testing/scripted-values'
// Preloaded; the application loads it on its first visit.
import './Node'

afterEach(cleanup)

const aJob = (change: Partial<DatabaseJobView> = {}): DatabaseJobView => ({
  state: 'running',
  stage: 'blocks',
  share: 0.25,
  startedAt: NOW - 60_000,
  blocks: 10,
  faults: 0,
  damage: [],
  error: '',
  ...change,
})
const control =
  (database: DatabaseJobView | null, canNameFiles = true) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    backend.emit('node.control', { canNameFiles, isSwitchedOff: database !== null, job: null, database, takenAt: NOW })
  }
const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)))

describe('the check of the database', () => {
  it('asks first, and says what stops', async () => {
    const { backend } = await open('/node', (backend) => {
      control(null)(backend)
      backend.answer('node.checkDatabase', () => {
        throw new WireError('CONTRACT_INVALID', { name: 'node.checkDatabase', reason: 'no such call' })
      })
    })
    await screen.findByTestId('database-check')
    await press('database-ask')
    expect(screen.getByTestId('database-dialog').textContent).toContain('until 43 blocks and the state are verified')
    expect(backend.calls.some(({ name }) => name === 'node.checkDatabase')).toBe(false)

    await press('database-dialog-confirm')

    expect(backend.calls).toContainEqual({ name: 'node.checkDatabase', params: {} })
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('no such call'))
  })

  it('is followed while the node is stopped, and can be canceled', async () => {
    const { backend } = await open('/node', (backend) => {
      control(aJob())(backend)
      backend.emit('node.head', aHead({ state: 'stopped' }))
      backend.answer('node.cancelCheck', () => ({}))
    })
    const job = await screen.findByTestId('database-job')
    // A quarter took a minute.
    expect(job.textContent).toContain('Verifying blocks. About 3\u00a0min left')
    expect(screen.queryByTestId('database-ask')).toBeNull()

    await press('database-cancel')

    expect(backend.calls).toContainEqual({ name: 'node.cancelCheck', params: {} })
  })

  it.each([
    [aJob({ state: 'whole', blocks: 43 }), 'No damage: 43 blocks'],
    [aJob({ state: 'mended', faults: 2 }), 'Rebuilt the indexes: 2 faults repaired'],
    [aJob({ state: 'damaged', faults: 1, damage: ['block 3: is missing'] }), '1 fault found'],
    [aJob({ state: 'failed', error: 'the disk is full' }), 'Check failed: the disk is full'],
    [aJob({ state: 'cancelled' }), 'Check canceled'],
  ])('says how it ended (%#)', async (job, words) => {
    await open('/node', control(job))
    const shown = await screen.findByTestId('database-job')

    expect(shown.textContent).toContain(words)
    for (const place of job.damage) expect(shown.textContent).toContain(place)
    expect(screen.getByTestId('database-ask')).toBeTruthy()
  })

  it('is offered only at the computer', async () => {
    await open('/node', control(null, false))

    expect(await screen.findByTestId('node-head')).toBeTruthy()
    expect(screen.queryByTestId('database-check')).toBeNull()
  })
})
