import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chainKeys, metaKeys } from './keys'
import { openLevelStore } from './level-store'
import { MemoryStore, StoreLayer } from './store'

const bytes = (...values: number[]) => Uint8Array.from(values)

describe('store on disk', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'headframe-store-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const filled = async () => {
    const store = await openLevelStore(folder)
    await store.write([
      [metaKeys.schema, bytes(0x31)],
      [bytes(1, 1), bytes(11)],
      [bytes(1, 2), bytes()],
      [bytes(2, 1), bytes(21)],
    ])
    return store
  }
  it('is closed to other users, even if its folder was open to them before', async () => {
    chmodSync(folder, 0o755)
    const store = await openLevelStore(folder)
    await store.close()

    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('writes nothing while the disk is nearly full, keeps reading, and writes again when there is space', async () => {
    let free = 10_000
    let now = 0
    const monotonic = () => (now += 1_000)
    const store = await openLevelStore(folder, { minFreeBytes: 1_000, freeBytes: async () => free, monotonic })
    await store.write([[metaKeys.schema, bytes(0x31)]])
    free = 1_000
    await expect(store.write([[bytes(1), bytes(2)]])).rejects.toMatchObject({
      code: 'STORE_DISK_LOW',
      data: { folder, freeBytes: 1_000, neededBytes: 1_004 },
    })
    expect(store.get(metaKeys.schema)).toEqual(bytes(0x31))
    expect(store.get(bytes(1))).toBeUndefined()
    free = 10_000
    await store.write([[bytes(1), bytes(2)]])
    expect(store.get(bytes(1))).toEqual(bytes(2))
    await store.close()
  })

  it('asks for the free space once a second while there is plenty, and before each write while there is little', async () => {
    const clock = { now: 0, asked: 0, free: 10_000 }
    const freeBytes = async () => {
      clock.asked++
      return clock.free
    }
    const store = await openLevelStore(folder, { minFreeBytes: 1_000, freeBytes, monotonic: () => clock.now })
    const write = (size: number) => store.write([[bytes(1), new Uint8Array(size)]])
    await write(999)
    await write(999) // 6,000 are left
    expect(clock.asked).toBe(1)
    clock.now = 1_000
    clock.free = 6_000
    await write(999)
    expect(clock.asked).toBe(2)
    await write(999)
    expect(clock.asked).toBe(2)
    clock.free = 3_999
    await write(999) // less than 2,000 would be left
    expect(clock.asked).toBe(3)
    clock.free = 2_999
    await expect(write(999)).rejects.toMatchObject({ code: 'STORE_DISK_LOW', data: { freeBytes: 2_999 } })
    await store.close()
  })

  it('asks the system for the free space, and writes if it is unknown', async () => {
    const full = await openLevelStore(folder, { minFreeBytes: Number.MAX_SAFE_INTEGER / 4 })
    await expect(full.write([[bytes(1), bytes(2)]])).rejects.toMatchObject({ code: 'STORE_DISK_LOW' })
    await full.close()
    const silent = await openLevelStore(folder, { freeBytes: async () => null })
    await silent.write([[bytes(1), bytes(2)]])
    await silent.close()
  })

  const files = (pattern: RegExp) => readdirSync(folder).filter((name) => pattern.test(name))

  it('keeps values, including empty values, and knows what is absent', async () => {
    await (await filled()).close()
    const store = await openLevelStore(folder)

    expect([store.get(bytes(1, 1)), store.get(bytes(1, 2)), store.get(bytes(9))]).toEqual([
      bytes(11),
      bytes(),
      undefined,
    ])
    expect((await store.keysWithPrefix(bytes(1))).map((key) => [...key])).toEqual([
      [1, 1],
      [1, 2],
    ])
    await store.close()
  })

  it('never answers with an older value: written one after the other, at once, deleted, or refused', async () => {
    let free = 10_000
    const store = await openLevelStore(folder, { minFreeBytes: 1_000, freeBytes: async () => free, monotonic: () => 0 })
    await store.write([[metaKeys.schema, bytes(1)]])
    const key = chainKeys.canonical(5n)
    const found = [store.get(key)]
    for (const value of [bytes(1), bytes(2), null, new Uint8Array(513), bytes(3), new Uint8Array(600)]) {
      const writing = store.write([[key, value]])
      store.get(key)
      await writing
      found.push(store.get(key))
    }
    // Which of them comes last, the library's threads decide.
    await Promise.all(Array.from({ length: 50 }, (_, value) => store.write([[key, bytes(value)]])))
    const together = [store.get(key)]
    free = 1_000
    await expect(store.write([[key, new Uint8Array(9_000)]])).rejects.toMatchObject({ code: 'STORE_DISK_LOW' })
    together.push(store.get(key))
    await store.close()

    const [long, longer] = [new Uint8Array(513), new Uint8Array(600)]
    expect(found).toEqual([undefined, bytes(1), bytes(2), undefined, long, bytes(3), longer])
    const again = await openLevelStore(folder)
    const written = again.get(key)
    await again.close()
    expect(written).toHaveLength(1)
    expect(together).toEqual([written, written])
  })

  it("gives a prefix's keys in portions, as the in-memory store does", async () => {
    const [disk, memory] = [await openLevelStore(folder), new MemoryStore()]
    const entries = [3, 1, 2, 5].map((n) => [bytes(1, n), bytes(n)] as const)
    for (const store of [disk, memory]) {
      await store.write([[metaKeys.schema, bytes(0x31)], [bytes(0, 9), bytes()], ...entries, [bytes(2, 1), bytes()]])
      const first = await store.keysBehind(bytes(1), null, 3)
      const rest = await store.keysBehind(bytes(1), bytes(1, 3), 3)
      expect([first, rest].map((keys) => keys.map((key) => [...key]))).toEqual([
        [
          [1, 1],
          [1, 2],
          [1, 3],
        ],
        [[1, 5]],
      ])
    }
    await disk.close()
  })

  it('rejects a database that is open elsewhere', async () => {
    // In another process: the threads of one process share the database.
    const script = `const { ClassicLevel } = require('classic-level')
      new ClassicLevel(process.argv[1]).open().then(() => console.log('open'))
      process.stdin.resume().on('end', () => process.exit())`
    const other = spawn(process.execPath, ['-e', script, folder], { cwd: import.meta.dirname })
    await once(other.stdout, 'data')
    await expect(openLevelStore(folder)).rejects.toMatchObject({ code: 'STORE_LOCKED', data: { folder } })
    other.stdin.end()
    await once(other, 'exit')
  })

  it.each([
    ['a manifest that is none', (name: string) => writeFileSync(name, 'x'.repeat(99)), /^MANIFEST/],
    ['an empty manifest', (name: string) => truncateSync(name), /^MANIFEST/],
    ['a manifest that is gone', unlinkSync, /^MANIFEST/],
    ['a CURRENT that is none', (name: string) => writeFileSync(name, 'garbage'), /^CURRENT/],
    ['a CURRENT that is gone', unlinkSync, /^CURRENT/],
    ['a log that is none', (name: string) => writeFileSync(name, 'x'.repeat(500)), /\.log$/],
  ])('recognizes %s as damage and says what to do', async (_name, damage, pattern) => {
    await (await filled()).close()
    for (const name of files(pattern)) damage(join(folder, name))

    const failure = openLevelStore(folder)

    await expect(failure).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    await expect(failure).rejects.toThrow(
      /is damaged \(.+\): run headframe db repair .+ Or move that folder aside and restart/,
    )
  })

  it('opens again after a first start that was killed before its first write', async () => {
    await (await openLevelStore(folder)).close()
    const store = await openLevelStore(folder)
    expect(store.get(metaKeys.schema)).toBeUndefined()
    await store.close()
  })

  it('names an unusable folder', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(openLevelStore(join(folder, 'file', 'db'))).rejects.toThrow()
  })
})

describe('layer', () => {
  it('shows its changes above the base, which it leaves unchanged', async () => {
    const base = new MemoryStore()
    await base.write([
      [bytes(1, 1), bytes(11)],
      [bytes(1, 2), bytes(12)],
    ])
    const layer = new StoreLayer(base)
    layer.put(bytes(1, 3), bytes(13))
    layer.delete(bytes(1, 1))

    expect([layer.get(bytes(1, 1)), layer.get(bytes(1, 2)), layer.get(bytes(1, 3))]).toEqual([
      undefined,
      bytes(12),
      bytes(13),
    ])
    expect((await layer.keysWithPrefix(bytes(1))).map((key) => key[1]).sort()).toEqual([2, 3])
    expect(base.get(bytes(1, 1))).toEqual(bytes(11))
  })

  it('reads the base again once that has its changes', async () => {
    const base = new MemoryStore()
    const layer = new StoreLayer(base)
    layer.put(bytes(1), bytes(11))
    await base.write(layer.changes())
    layer.forget()
    await base.write([[bytes(1), bytes(12)]])

    expect([layer.get(bytes(1)), layer.changes()]).toEqual([bytes(12), []])
  })
})
