import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isListenFailure, listenLocal, listenTcp, tcpAddressOf } from './listen'

describe('listening', () => {
  const servers: Server[] = []
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'listen-'))
  })
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true })
  })
  const server = (): Server => {
    const made = createServer()
    servers.push(made)
    return made
  }

  it('reports the actual port, and that another program has it', async () => {
    const first = server()
    const outcome = await listenTcp(first, { host: 'localhost', port: 0 })
    if (isListenFailure(outcome)) throw new Error(outcome.reason)

    expect(outcome).toEqual(tcpAddressOf(first))
    expect(outcome).toMatchObject({ host: '127.0.0.1', port: expect.any(Number) })
    expect(await listenTcp(server(), outcome)).toMatchObject({ kind: 'in-use' })
  })

  it('explains why an address cannot be used', async () => {
    expect(await listenTcp(server(), { host: '192.0.2.1', port: 0 })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('EADDRNOTAVAIL'),
    })
  })

  it.skipIf(process.platform === 'win32')('makes the folder and the socket for this user only', async () => {
    const path = join(folder, 'own', 'a.ipc')

    expect(await listenLocal(server(), path)).toBeNull()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'own')).mode & 0o777).toBe(0o700)
    expect(await listenLocal(server(), path)).toMatchObject({ kind: 'in-use' })
  })

  it.skipIf(process.platform === 'win32')('never removes a file that is not a socket', async () => {
    const path = join(folder, 'a.ipc')
    writeFileSync(path, 'precious')

    expect(await listenLocal(server(), path)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('not a socket'),
    })
    expect(statSync(path).size).toBe(8)
  })
})
