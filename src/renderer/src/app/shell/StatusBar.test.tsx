// What the status bar says on every screen.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aPool, show } from '../../testing/scripted-pools'
import { anInfo, aRequest } from '../../testing/scripted-values'

afterEach(cleanup)

const waiting = (backend: ScriptedBackend): void => {
  fill(backend)
  backend
    .answer('app.restart', () => ({}))
    .emit('app.status', { services: [], restartFor: ['cpu-threads'], takenAt: NOW })
}

describe('a pending restart', () => {
  it.each(['/', '/gpus', '/pools', '/node', '/accounts', '/activity'])('is shown on %s', async (path) => {
    await open(path, waiting)

    expect(screen.getByTestId('restart-bar').textContent).toContain('cpu-threads')
  })

  it('is done from the bar after a confirmation, once', async () => {
    const { backend } = await open('/', waiting)

    fireEvent.click(screen.getByTestId('restart-bar'))
    expect(backend.calls.filter(({ name }) => name === 'app.restart')).toEqual([])
    const confirm = await screen.findByTestId('restart-dialog-confirm')
    await act(async () => void fireEvent.click(confirm))

    expect(backend.calls.filter(({ name }) => name === 'app.restart')).toHaveLength(1)
    expect(screen.getByTestId('restart-bar').textContent).toContain('Headframe is restarting')
  })

  it('is shown for a first pool, too', async () => {
    await open('/', (backend) => {
      fill(backend)
      show(backend, [aPool(0, { state: 'planned', active: false })])
    })

    expect(screen.getByTestId('restart-bar').textContent).toContain('The pool you added is used after a restart.')
  })

  it('is hidden from read-only users, and if nothing waits', async () => {
    await open('/', fill)
    expect(screen.queryByTestId('restart-bar')).toBeNull()
    cleanup()

    await open('/', (backend) => {
      waiting(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })
    expect(screen.queryByTestId('restart-bar')).toBeNull()
  })
})

it('a waiting request is said once', async () => {
  await open('/', (backend) => {
    fill(backend)
    backend.emit('signer.requests', { waiting: [aRequest()], waitingCount: 1, takenAt: NOW })
  })

  expect(screen.getByTestId('approval-review').textContent).toContain('1 request')
  expect(screen.getByTestId('approval-review').getAttribute('href')).toContain('#/accounts/approvals/')
  expect(screen.getByTestId('health').dataset.state).toBe('attention')
  expect(screen.queryByTestId('health-chip-health.approval-waiting')).toBeNull()
})
