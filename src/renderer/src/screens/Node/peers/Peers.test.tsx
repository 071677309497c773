// The node's peers, and what can be done about them.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../../base/wire/define'
import type { PeersView } from '../../../../../contract/network'
import { fill, open } from '../../../testing/open-app'
import type { ScriptedBackend } from '../../../testing/scripted'
import { aHead, anInfo, aPeer } from '../../../testing/scripted-values'
// Preloaded; the application loads it on its first visit.
import '../Node'

afterEach(cleanup)

const failing = (name: string) => () => {
  throw new WireError('CONTRACT_INVALID', { name, reason: 'broken' })
}

describe("the node's peers", () => {
  const peersView = { self: null, maxPeers: 50, peers: [aPeer()], bans: [], takenAt: 0 }
  const withPeers =
    (change: Partial<PeersView> = {}) =>
    (backend: ScriptedBackend): void => {
      fill(backend)
      backend.emit('node.head', aHead({ peers: 1 })).emit('node.peers', { ...peersView, ...change })
    }

  it('are listed, and can be trusted and dropped', async () => {
    const { backend } = await open('/node/peers', (scripted) => {
      withPeers({ peers: [aPeer({ client: 'a\u202eb' })] })(scripted)
      scripted.answer('node.trustPeer', () => ({})).answer('node.removePeer', failing('node.removePeer'))
    })
    const found = await screen.findByTestId('peer-row')
    expect(found.textContent).toContain('U+202E')
    expect(found.textContent).toContain('192.0.2.1:32110')
    expect(found.textContent).toContain('12 ms')

    await act(async () => void fireEvent.click(within(found).getByText('Trust')))
    await act(async () => void fireEvent.click(within(found).getByText('Disconnect')))

    const id = aPeer().id
    expect(backend.calls).toContainEqual({ name: 'node.trustPeer', params: { id, isTrusted: true } })
    expect(screen.getByRole('alert').textContent).toContain('broken')
  })

  it('are added by enode, and a wrong one is explained', async () => {
    const { backend } = await open('/node/peers', withPeers())
    const add = () => act(async () => void fireEvent.click(screen.getByTestId('peer-add-submit')))
    await add()
    expect(screen.getByRole('alert').textContent).toContain('Enter an enode URL')
    fireEvent.change(screen.getByTestId('peer-enode'), { target: { value: ` ${aPeer().enode} ` } })
    backend.answer('node.addPeer', failing('node.addPeer'))
    await add()
    expect(screen.getByRole('alert').textContent).toContain('broken')
    expect(screen.getByTestId('peer-enode')).toHaveProperty('value', ` ${aPeer().enode} `)

    backend.answer('node.addPeer', () => ({}))
    await add()

    expect(backend.calls).toContainEqual({ name: 'node.addPeer', params: { enode: aPeer().enode } })
    expect(screen.getByRole('status').textContent).toContain('Headframe reconnects to this peer')
  })

  it('show how the node is reached, and which nodes are banned', async () => {
    const self = { id: aPeer().id, enode: 'enode://me@192.0.2.9:32110', enr: 'enr:-abc' }
    const ban = { id: '2'.repeat(128), reason: 'invalid seal', endsAt: 1_700_000_060_000 }
    const { backend } = await open('/node/peers', (scripted) => {
      withPeers({ self, bans: [ban], peers: [] })(scripted)
      scripted.answer('node.liftBan', () => ({}))
    })
    expect((await screen.findByTestId('node-self')).textContent).toContain('enr:-abc')
    expect(screen.getByTestId('node-bans').textContent).toContain('invalid seal')

    await act(async () => void fireEvent.click(screen.getByText('Unban')))

    expect(backend.calls).toContainEqual({ name: 'node.liftBan', params: { id: ban.id } })
  })

  it('are read-only without control', async () => {
    await open('/node/peers', (backend) => {
      withPeers()(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })

    expect(await screen.findByTestId('peer-row')).toBeTruthy()
    expect(screen.queryByText('Disconnect')).toBeNull()
    expect(screen.queryByTestId('peer-add')).toBeNull()
  })
})
