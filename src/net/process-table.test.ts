import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ProcessTable } from './process-table'

describe.skipIf(process.platform !== 'linux')('the process table', () => {
  it('names the process at the other end of a loopback connection', async () => {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const bound = server.address()
    const accepted = new Promise<string>((done) =>
      server.once('connection', (socket) => done(`${socket.remoteAddress}:${socket.remotePort}`)),
    )
    const socket = connect(typeof bound === 'object' && bound !== null ? bound.port : 0, '127.0.0.1')

    const found = await new ProcessTable().processOf(await accepted)

    socket.destroy()
    await new Promise((done) => server.close(done))
    expect(found?.pid).toBe(process.pid)
    expect(found?.name).not.toBe('')
  })

  const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
  const row = (local: string, remote: string, state: string, inode: number) =>
    `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0 20 4 30 10 -1\n`

  async function holderOf(rows: readonly string[], nearPort?: number, name = Buffer.from('wallet')) {
    const proc = await mkdtemp(join(tmpdir(), 'proc-'))
    try {
      await mkdir(join(proc, 'net'))
      await writeFile(join(proc, 'net', 'tcp'), HEAD + rows.join(''))
      await mkdir(join(proc, '7', 'fd'), { recursive: true })
      await symlink('socket:[55]', join(proc, '7', 'fd', '3'))
      await writeFile(join(proc, '7', 'comm'), Buffer.concat([name, Buffer.from('\n')]))
      await symlink('/opt/wallet/bin/wallet', join(proc, '7', 'exe'))
      return await new ProcessTable(proc).processOf('127.0.0.1:50000', nearPort)
    } finally {
      await rm(proc, { recursive: true, force: true })
    }
  }

  it('matches exactly that address', async () => {
    const others = [
      row('0100007F:C350', '00000000:0000', '0A', 54),
      row('0200007F:C350', '0100007F:2136', '01', 53),
      row('0A00000A:C350', '0800080A:01BB', '01', 52),
    ]

    expect(await holderOf([...others, row('0100007F:C350', '0100007F:2136', '01', 55)])).toEqual({
      pid: 7,
      name: 'wallet',
      path: '/opt/wallet/bin/wallet',
    })
    expect(await holderOf(others)).toBeNull()
  })

  it('says of a name that is no text what it is', async () => {
    const rows = [row('0100007F:C350', '0100007F:2136', '01', 55)]

    const found = await holderOf(rows, undefined, Buffer.from([0x77, 0xff, 0x1b]))

    expect(found?.name).toBe('0x77ff1b (not text)')
  })

  it('names no process if two connections share the address', async () => {
    const rows = [row('0100007F:C350', '0100007F:2136', '01', 55), row('0100007F:C350', '0100007F:1538', '01', 56)]

    expect(await holderOf(rows)).toBeNull()
  })

  it('distinguishes connections from one address by our port', async () => {
    const rows = [row('0100007F:C350', '0100007F:2136', '01', 55), row('0100007F:C350', '0100007F:1538', '01', 56)]

    expect(await holderOf(rows, 0x2136)).toMatchObject({ pid: 7 })
    expect(await holderOf(rows, 0x1538)).toBeNull() // socket 56 belongs to another user's program
    expect(await holderOf(rows, 0x2137)).toBeNull()
  })

  it('looks first at the program that it found last', async () => {
    const proc = await mkdtemp(join(tmpdir(), 'proc-'))
    const add = async (pid: string): Promise<void> => {
      await mkdir(join(proc, pid, 'fd'), { recursive: true })
      await symlink('socket:[55]', join(proc, pid, 'fd', '3'))
      await writeFile(join(proc, pid, 'comm'), 'wallet\n')
    }
    await mkdir(join(proc, 'net'))
    await writeFile(join(proc, 'net', 'tcp'), HEAD + row('0100007F:C350', '0100007F:2136', '01', 55))
    await add('7')
    const table = new ProcessTable(proc)

    expect(await table.processOf('127.0.0.1:50000')).toMatchObject({ pid: 7 })
    await add('5')
    expect(await table.processOf('127.0.0.1:50000')).toMatchObject({ pid: 7 })
    await rm(join(proc, '7'), { recursive: true })
    expect(await table.processOf('127.0.0.1:50000')).toMatchObject({ pid: 5 })
    await rm(proc, { recursive: true })
  })

  it.each(['NA', '10.0.0.1:80', '127.0.0.1:1', 'x'])('finds nothing for %s', async (remote) => {
    expect(await new ProcessTable().processOf(remote)).toBeNull()
  })
})
