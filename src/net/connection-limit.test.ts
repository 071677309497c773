import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConnectionLimit } from './connection-limit'
import { isListenFailure, listenTcp } from './listen'

describe('the connection limit', () => {
  const limit = new ConnectionLimit({ max: 3, maxPerAddress: 2, maxPerProgram: 3 })
  const clients: Socket[] = []
  let server: Server
  let port = 0

  beforeEach(async () => {
    server = createServer()
    const outcome = await listenTcp(server, { host: 'localhost', port: 0 })
    port = isListenFailure(outcome) ? 0 : outcome.port
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy()
    for (const socket of limit.sockets()) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  /** The accepted side of a new connection. */
  const open = async (): Promise<Socket> => {
    const accepted = once(server, 'connection')
    const client = connect(port, '127.0.0.1').on('error', () => undefined)
    clients.push(client)
    const [socket] = (await accepted) as [Socket]
    return socket
  }

  it('closes the longest idle connection for a new one', async () => {
    const sockets = [await open(), await open(), await open(), await open()]
    const admitted = sockets.map((socket) => limit.admit(socket))

    expect(admitted).toEqual([true, true, true, true])
    expect(sockets.map((socket) => socket.destroyed)).toEqual([true, false, false, false])
    expect(limit.size).toBe(3)
  })

  it('leaves busy connections alone, and refuses new ones if all are busy', async () => {
    const [first, second, third, fourth, fifth] = [await open(), await open(), await open(), await open(), await open()]
    for (const socket of [first, second, third]) {
      limit.admit(socket)
      limit.busy(socket)
    }

    expect(limit.admit(fourth)).toBe(false)
    expect(fourth.destroyed).toBe(true)

    limit.idle(second)
    expect(limit.admit(fifth)).toBe(true)
    expect([first.destroyed, second.destroyed, third.destroyed]).toEqual([false, true, false])
  })

  it('forgets a closed connection', async () => {
    const socket = await open()
    limit.admit(socket)
    socket.destroy()
    await once(socket, 'close')

    expect(limit.size).toBe(0)
  })

  it('gives another computer no more than its share', () => {
    const from = (address: string): Socket => {
      const socket = connect({ port, host: '127.0.0.1', autoSelectFamily: false }).on('error', () => undefined)
      clients.push(socket)
      return Object.defineProperty(socket, 'remoteAddress', { value: address })
    }
    const strangers = [from('10.0.0.7'), from('::ffff:10.0.0.7'), from('10.0.0.7')]
    const other = from('10.0.0.8')

    expect([...strangers, other].map((socket) => limit.admit(socket))).toEqual([true, true, true, true])
    expect(strangers.map((socket) => socket.destroyed)).toEqual([true, false, false])
    expect(other.destroyed).toBe(false)
  })

  it('reclaims what a program has over its share: idle connections first, then the newest', async () => {
    const names = new Map<Socket, string>()
    const shared = new ConnectionLimit({ max: 9, maxPerAddress: 9, maxPerProgram: 2 }, async (sockets) =>
      sockets.map((socket) => names.get(socket) ?? null),
    )
    const sockets = [await open(), await open(), await open(), await open(), await open(), await open()]
    const owners = ['program 1', 'program 1', 'program 2', 'program 1', 'program 1', null]
    for (const [index, socket] of sockets.entries()) {
      const owner = owners[index] ?? null
      if (owner !== null) names.set(socket, owner)
      shared.admit(socket)
      if (index !== 1) shared.busy(socket)
    }
    await new Promise((resolve) => setImmediate(resolve))

    expect(sockets.map((socket) => socket.destroyed)).toEqual([false, true, false, false, true, false])
    expect(shared.size).toBe(4)
    for (const socket of shared.sockets()) socket.destroy()
  })

  it('looks up no owner while all programs here stay within one share', async () => {
    let asked = 0
    const shared = new ConnectionLimit({ max: 9, maxPerAddress: 9, maxPerProgram: 3 }, async (sockets) => {
      asked += 1
      return sockets.map(() => null)
    })
    const sockets = [await open(), await open(), await open()]
    for (const socket of sockets) shared.admit(socket)
    expect(asked).toBe(0)

    shared.admit(await open())
    await new Promise((resolve) => setImmediate(resolve))

    expect([asked, shared.size]).toEqual([1, 4])
    for (const socket of shared.sockets()) socket.destroy()
  })
})
