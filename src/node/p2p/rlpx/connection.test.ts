import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../base/time'
import { DISCONNECT } from '../../protocol/base-messages'
import { Connection } from './connection'
import { publicKeyOf } from './handshake'

const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length))

/** Two ends over loopback, not opened yet. @param clientId of the dialing end */
async function ends(clientId: string, host = '127.0.0.1') {
  const server = createServer()
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  await new Promise<void>((listening) => server.listen(0, host, listening))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const dialled = connect({ host, port: address.port })
  const [ourKey, theirKey] = [random(32), random(32)]
  const helloOf = (key: Uint8Array, name: string) => ({
    p2pVersion: 5,
    clientId: name,
    listenPort: 0,
    nodeId: publicKeyOf(key),
    capabilities: [],
  })
  const deps = { clock: systemClock(), randomBytes: random }
  const maxMessageBytes = 1024 * 1024
  const listening = new Connection(
    await accepted,
    { staticKey: ourKey, remoteId: null, hello: helloOf(ourKey, 'ours'), maxMessageBytes },
    deps,
  )
  server.close()
  const remoteId = publicKeyOf(ourKey)
  const dialling = new Connection(
    dialled,
    { staticKey: theirKey, remoteId, hello: helloOf(theirKey, clientId), maxMessageBytes },
    deps,
  )
  return { listening, dialling }
}

describe('a connection', () => {
  it('tells a peer whose Hello is too long why it is closed, though more of it is still arriving', async () => {
    const { listening, dialling } = await ends('x'.repeat(1024 * 1024))
    const closed = new Promise<string>((resolve) => dialling.events.on('closed', ({ reason }) => resolve(reason)))
    const opened = listening.open()
    // The other side's Hello comes first and is good; its answer to ours comes after it.
    const [refusal] = await Promise.allSettled([opened, dialling.open()])
    dialling.receive(() => undefined)

    expect(refusal.status).toBe('rejected')
    expect(await closed).toBe(`the other side ended it: reason ${DISCONNECT.badProtocol}`)
  })

  it('formats its own end with an IPv6 address in brackets', async () => {
    const { listening, dialling } = await ends('test', '::1')
    await Promise.all([listening.open(), dialling.open()])

    expect(listening.localAddress).toMatch(/^\[::1\]:\d+$/)
    listening.disconnect(DISCONNECT.quitting)
  })
})
