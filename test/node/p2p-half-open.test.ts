// Sockets that are opened and stay silent, while honest nodes dial at the same time.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { MADE_CHAIN_ID, madeGenesis } from './made-blocks'
import { meetingNode, until } from './p2p-nodes'
import { newFolder } from './practice-node'
import { honestStatus, StrangePeer } from './strange-peer'

const NETWORK = Number(MADE_CHAIN_ID)

describe('half-open connections', () => {
  const folder = newFolder()
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
    rmSync(folder, { recursive: true, force: true })
  })

  it('do not keep honest nodes out', async () => {
    const victim = await meetingNode({
      folder: join(folder, 'node'),
      key: 5,
      genesis: madeGenesis(),
      networkId: NETWORK,
      xhashMode: 'test',
      maxPeers: 50,
    })
    ends.push(() => victim.node.stop())
    const status = await honestStatus(victim, NETWORK)
    const silent: Socket[] = []
    for (let count = 0; count < 200; count++) {
      const socket = connect({ host: '127.0.0.1', port: victim.p2p.port })
      socket.on('error', () => undefined)
      silent.push(socket)
      ends.push(() => socket.destroy())
      await once(socket, 'connect')
    }
    const honest: StrangePeer[] = []
    for (let count = 0; count < 25; count++) honest.push(await StrangePeer.meet({ enode: victim.enode, status }))
    ends.push(() => {
      for (const { socket } of honest) socket.destroy()
    })

    await until('all honest nodes are peers', () => victim.p2p.peers().length === 25)
    expect(honest.filter(({ ended }) => ended !== null)).toEqual([])
  })
})
