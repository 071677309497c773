import { createServer, type Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../base/testing/fake-clock'
import { addressShare, localCallers } from './caller-share'
import { ConnectionLimit } from './connection-limit'
import { isListenFailure, listenTcp } from './listen'
import { ProcessTable } from './process-table'
import { Crowd } from './testing/crowd'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
  ['2001:DB8::7:1:2:3:4', '2001:db8:0:7::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::198.51.100.1', '64:ff9b:0:0::/64'],
  ['127.0.0.1', null],
  ['::1', null],
  [undefined, null],
])('counts %s for %s', (address, share) => {
  expect(addressShare(address)).toBe(share)
})

describe.skipIf(process.platform !== 'linux')('programs on this computer', () => {
  async function listening(limit: ConnectionLimit, onSocket: (socket: Socket) => void) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume()
      if (limit.admit(socket)) onSocket(socket)
    })
    const outcome = await listenTcp(server, { host: 'localhost', port: 0 })
    return { server, port: isListenFailure(outcome) ? 0 : outcome.port }
  }

  it('keep no more than their share, even with busy connections, and leave room for others', async () => {
    const clock = new FakeClock()
    const limit = new ConnectionLimit({ max: 12, maxPerAddress: 12, maxPerProgram: 6 }, localCallers(clock))
    const { server, port } = await listening(limit, (socket) => limit.busy(socket))
    const greedy = await Crowd.open(port, 12, 'x')
    try {
      await vi.waitFor(async () => {
        clock.advance(500)
        expect(await greedy.size()).toBe(6)
      }, 240_000)

      const other = await Crowd.open(port, 4, 'x')
      expect(await other.size()).toBe(4)
      await other.leave()
    } finally {
      await greedy.leave()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('are named by the process table', async () => {
    const table = new ProcessTable()
    const sockets: Socket[] = []
    let come = (): void => undefined
    const bothCame = new Promise<void>((resolve) => {
      come = resolve
    })
    const { server, port } = await listening(
      new ConnectionLimit({ max: 9, maxPerAddress: 9, maxPerProgram: 9 }),
      (socket) => {
        sockets.push(socket)
        if (sockets.length === 2) come()
      },
    )
    const crowd = await Crowd.open(port, 2, 'x')
    try {
      await bothCame // a connection is open at the other end before it is accepted here
      const names = await localCallers(new FakeClock(), table)(sockets)

      expect(names).toHaveLength(2)
      expect(names[0]).toMatch(/^program \d+$/)
      expect(names[0]).not.toBe(`program ${process.pid}`)
      expect(names[1]).toBe(names[0])
    } finally {
      await crowd.leave()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
