// Without contact every figure is old, also those that don't age by themselves.
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { stage } from '../../testing/render-app'
import { Value } from './Value'

afterEach(cleanup)

it('says its age while there is no contact, and is fresh again with it', async () => {
  const { backend, clock, pass } = await stage(<Value kind="watts" value={118} testId="power" />)
  expect(screen.getByTestId('power').dataset.stale).toBeUndefined()

  act(() => backend.setConnection({ kind: 'lost', since: clock.now(), retryAt: Number.POSITIVE_INFINITY, reason: '' }))
  await pass(9_000)
  expect(screen.getByTestId('power').dataset.stale).toBe('true')
  expect(screen.getByTestId('power').textContent).toContain('9\u00a0s ago')

  await act(async () => backend.setConnection({ kind: 'open' }))
  expect(screen.getByTestId('power').dataset.stale).toBeUndefined()
})
