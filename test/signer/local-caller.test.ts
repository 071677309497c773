// A request over the signer's local socket, from another program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
