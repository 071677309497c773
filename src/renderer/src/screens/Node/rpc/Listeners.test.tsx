// Who may use the node: each endpoint, with what it serves and to whom.
import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { fill, open } from '../../../testing/open-app'
// Preloaded; the application loads it on its first visit.
import '../Node'

afterEach(cleanup)

describe('what listens', () => {
  it('is listed with what it serves and to whom, risky namespaces marked', async () => {
    await open('/node/rpc', (backend) => {
      fill(backend)
      backend.answer('node.listeners', () => ({
        listeners: [
          { kind: 'http', address: '127.0.0.1:8545', namespaces: ['eth', 'admin'], origins: [], hosts: ['localhost'] },
          { kind: 'ipc', address: '/d/headframe.ipc', namespaces: ['admin'], origins: null, hosts: null },
        ],
      }))
    })

    const http = await screen.findByTestId('listener-http')
    expect(http.textContent).toContain('admin (can change node settings)')
    expect(http.textContent).not.toContain('eth (')
    expect(screen.getByTestId('listener-ipc').textContent).not.toContain('changes what')
  })

  it('is empty if it is switched off', async () => {
    await open('/node/rpc', (backend) => {
      fill(backend)
      backend.answer('node.listeners', () => ({ listeners: [] }))
    })

    expect(await screen.findByText('JSON-RPC is off')).toBeTruthy()
  })
})
