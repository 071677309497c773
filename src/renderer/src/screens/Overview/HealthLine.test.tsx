import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { fill, NOW, open } from '../../testing/open-app'
import { aRequest } from '../../testing/scripted-values'

afterEach(cleanup)

it("doesn't repeat the waiting request that the banner above it names", async () => {
  await open('/', (backend) => {
    fill(backend)
    backend.emit('signer.requests', { waiting: [aRequest()], waitingCount: 1, takenAt: NOW })
  })

  expect(screen.getByTestId('approval-bar').textContent).toContain('1 request')
  expect(screen.getByTestId('health').dataset.state).toBe('attention')
  expect(screen.queryByTestId('health-chip-health.approval-waiting')).toBeNull()
})
