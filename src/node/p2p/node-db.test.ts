import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { type NodeAddress, nodeName } from './node-address'
import { NodeDb } from './node-db'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'node-db-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function node(number: number): NodeAddress {
  const id = new Uint8Array(64)
  new DataView(id.buffer).setUint32(0, number)
  return { id, host: '10.0.0.1', tcpPort: 32110, udpPort: 32111 }
}

const database = (clock = new FakeClock(), file: string | null = join(folder, 'nodes', 'nodes.json')): NodeDb =>
  new NodeDb(file, { clock, log: silentLogger })

describe('the node database', () => {
  it('restores after a restart what was seen, the latest first', async () => {
    const clock = new FakeClock()
    const first = database(clock)
    await first.load()
    for (const number of [1, 2, 3]) {
      first.note(node(number))
      clock.advance(1_000)
    }
    first.note(node(1))
    first.forget(nodeName(node(2).id))
    await first.save()

    const second = database(clock)
    await second.load()

    expect(second.seeds(10)).toEqual([node(1), node(3)])
    expect(second.seeds(1)).toEqual([node(1)])
    expect(await readdir(join(folder, 'nodes'))).toEqual(['nodes.json'])
  })

  it('drops every node unseen for five days', async () => {
    const clock = new FakeClock()
    const db = database(clock)
    db.note(node(1))
    clock.advance(6 * 24 * 3_600_000)
    db.note(node(2))

    expect(db.seeds(10)).toEqual([node(2)])
  })

  it('begins with one node per /16 before a second one of any, however often its nodes answer', () => {
    const clock = new FakeClock()
    const db = database(clock)
    const at = (number: number, host: string): NodeAddress => ({ ...node(number), host })
    const honest = [at(1, '20.1.0.1'), at(2, '30.1.0.1')]
    for (const one of honest) db.note(one)
    clock.advance(1_000)
    const hostile = Array.from({ length: 10 }, (_, index) => at(100 + index, `200.7.${index}.1`))
    for (const one of hostile) db.note(one)

    expect(db.seeds(4).slice(0, 3)).toEqual([hostile[9], honest[1], honest[0]])
    expect(db.seeds(4)[3]).toEqual(hostile[8])
    expect(db.seeds(100)).toHaveLength(12)
  })

  it('holds 512 nodes at most, in memory and on disk', async () => {
    const db = database()
    for (let i = 0; i < 2_000; i++) db.note(node(i))
    await db.save()
    const again = database()
    await again.load()

    expect([db.size, again.size]).toEqual([512, 512])
    expect(again.seeds(1)).toEqual([node(1_999)])
  })

  it.each([
    '{',
    '[]',
    '{"format":2,"nodes":[]}',
    '{"format":1,"nodes":[{"enode":7,"seenAt":1}]}',
    ' '.repeat(1_000_001),
  ])('starts empty from a damaged file and repairs it (%#)', async (text) => {
    const file = join(folder, 'nodes.json')
    await writeFile(file, text)
    const db = database(new FakeClock(), file)
    await db.load()
    const before = db.size
    db.note(node(5))
    await db.save()

    expect(before).toBe(0)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ format: 1, nodes: [{}] })
  })

  it('omits single lines that name no address', async () => {
    const file = join(folder, 'nodes.json')
    const name = `enode://${'11'.repeat(64)}@example.org:1`
    await writeFile(
      file,
      JSON.stringify({
        format: 1,
        nodes: [
          { enode: name, seenAt: 1 },
          { enode: 'x', seenAt: 1 },
        ],
      }),
    )
    const db = database(new FakeClock(), file)
    await db.load()

    expect(db.size).toBe(0)
  })

  it('stores nothing without a file', async () => {
    const db = database(new FakeClock(), null)
    await db.load()
    db.note(node(1))
    await db.save()

    expect(await readdir(folder)).toEqual([])
  })
})
