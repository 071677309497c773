import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { peerProcessReader } from './peer-process'

describe.skipIf(process.platform === 'win32')('the process at the other end of a local socket', () => {
  const peerProcess = peerProcessReader()
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'peer-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is the one that connected, among several', async () => {
    const path = join(folder, 'a.sock')
    const server = createServer().listen(path)
    await once(server, 'listening')
    const accepted = async (): Promise<Socket> => (await once(server, 'connection'))[0]

    const own = accepted()
    const mine = connect(path)
    const first = await own
    const other = accepted()
    const child = spawn(process.execPath, ['-e', `require('node:net').connect(${JSON.stringify(path)})`])
    const second = await other

    expect([peerProcess(first), peerProcess(second)]).toEqual([process.pid, child.pid])
    mine.destroy()
    first.destroy()
    child.kill('SIGKILL')
    second.destroy()
    server.close()
    await once(child, 'exit')
  })

  it('is unknown for a socket without a handle', () => {
    expect(peerProcess(new Socket())).toBeNull()
  })
})
