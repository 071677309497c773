import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isListenFailure, listenLocal, listenTcp, tcpAddressOf } from './listen'

const PIPE = '\\\\.\\pipe\\a'

/** A socket with a path isn't one of Windows' pipes. */
function noPipe(): string {
  throw new Error('asked to protect a pipe')
}

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

  it('reports the actual port, and that another program uses it', async () => {
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

  it.skipIf(process.platform === 'win32')('makes the folder and the socket accessible to this user only', async () => {
    const path = join(folder, 'own', 'a.ipc')

    expect(await listenLocal(server(), path, noPipe)).toBeNull()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'own')).mode & 0o777).toBe(0o700)
    expect(await listenLocal(server(), path, noPipe)).toMatchObject({ kind: 'in-use' })
  })

  it.skipIf(process.platform === 'win32')("never removes a file that isn't a socket", async () => {
    const path = join(folder, 'a.ipc')
    writeFileSync(path, 'precious')

    expect(await listenLocal(server(), path, noPipe)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('not a socket'),
    })
    expect(statSync(path).size).toBe(8)
  })

  it('locks others out of a pipe once it listens, and closes one that stays open to them', async () => {
    const asked: [string, boolean][] = []
    const listenOn = async (pipe: Server, answer: string): Promise<unknown> => {
      // Elsewhere than on Windows it listens on a file of this folder.
      const listen = pipe.listen.bind(pipe)
      pipe.listen = () => listen(join(folder, `pipe-${asked.length}`))
      return listenLocal(pipe, PIPE, (name) => {
        asked.push([name, pipe.listening])
        return answer
      })
    }
    const kept = server()
    const closed = createServer()

    expect(await listenOn(kept, '')).toBeNull()
    expect(await listenOn(closed, 'error 5 of Windows')).toMatchObject({ kind: 'failed', reason: 'error 5 of Windows' })

    expect([kept.listening, closed.listening]).toEqual([true, false])
    expect(asked).toEqual([
      [PIPE, true],
      [PIPE, true],
    ])
  })
})
