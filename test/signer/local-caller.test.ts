// A request over the signer's local socket, from another program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CallerProcesses } from '../../src/signer/external/caller-process'
import { Harness, TRANSFER } from './harness'

describe('a request over the local socket', () => {
  it.skipIf(process.platform !== 'linux')('names the program that sent it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'caller-'))
    const harness = await Harness.start({ service: { ipc: { path: join(folder, 'clef.ipc') } } })
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'account_signTransaction', params: [TRANSFER] })
    const write = `require('node:net').connect(process.argv[1]).write(process.argv[2])`
    const program = spawn(process.execPath, ['-e', write, join(folder, 'clef.ipc'), call])

    const { caller } = await harness.nextRequest()
    program.kill('SIGKILL')
    await once(program, 'exit')
    await harness.end()
    await rm(folder, { recursive: true })

    expect(caller.process).toEqual({ pid: program.pid, name: 'node', path: await realpath(process.execPath) })
  })
})

describe('a request over TCP', () => {
  it.skipIf(process.platform !== 'linux')('names its program, to the signer itself or through the node', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
    const [accepted] = await once(server, 'connection')
    const caller = {
      transport: 'http',
      remote: `127.0.0.1:${client.localPort}`,
      local: '',
      userAgent: '',
      origin: '',
    } as const
    const processes = new CallerProcesses()

    const found = [await processes.of(caller, accepted), await processes.of(caller, undefined)]
    const foreign = await processes.of({ ...caller, remote: '192.0.2.1:7' }, undefined)
    client.destroy()
    server.close()
    await once(server, 'close')

    expect(found.map((program) => program?.pid)).toEqual([process.pid, process.pid])
    expect(foreign).toBeNull()
  })
})
