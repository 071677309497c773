// The miner without its own node: `headframe miner -P` against a practice node's getwork and a pool, and `run -P`.
import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { PoolsView } from '../../src/contract/pools'
import type { Backend } from '../../src/host/backend'
import { connect, makeBackend, notBuilt, temporaryDataDir } from './backend-fixture'

const folders: { remove(): void }[] = []
const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.stop()
  for (const folder of folders.splice(0)) folder.remove()
})

async function started(words: readonly string[], command: 'miner' | 'node' | 'run'): Promise<Backend> {
  const folder = temporaryDataDir()
  folders.push(folder)
  const { backend } = await makeBackend(folder.dir, words, command)
  running.push(backend)
  await backend.start(new AbortController().signal)
  return backend
}

async function summaryOf(backend: Backend): Promise<Record<string, Record<string, unknown>>> {
  const url = `http://${backend.ready().api}/api/v1/summary`
  const text = await new Promise<string>((resolve, reject) => {
    request(url, { agent: false }, (response) => {
      let body = ''
      response.on('data', (part: Buffer) => {
        body += part.toString('utf8')
      })
      response.on('end', () => resolve(body))
    })
      .on('error', reject)
      .end()
  })
  return JSON.parse(text)
}

async function until<T>(read: () => Promise<T>, good: (value: T) => boolean, limitMs = 240_000): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const value = await read()
    if (good(value)) return value
    if (performance.now() > end) throw new Error(`not seen within ${limitMs} ms: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe.skipIf(notBuilt !== null)('headframe miner', () => {
  it("mines a practice node's blocks by getwork", async () => {
    const node = await started([], 'node')
    const rig = await started(['--network', 'practice', '-P', `http://${node.ready().http}`], 'miner')

    expect(rig.ready()).toMatchObject({ http: null, signer: null })
    const summary = await until(
      () => summaryOf(rig),
      ({ shares }) => Number(shares?.accepted) >= 2,
    )

    expect(summary.pool).toMatchObject({ connected: true, host: node.ready().http, url: `http://${node.ready().http}` })
    // A second solution of a height is stale, and counts as rejected: that is chance, a pool in trouble isn't.
    expect(summary.pool).toMatchObject({ warning: '', diagnosis: { trouble: '' } })
    expect(summary.shares).toMatchObject({ failed: 0 })
  })

  it('shows, adds, tests, switches and removes pools while it runs', async () => {
    const node = await started([], 'node')
    const url = `http://${node.ready().http}`
    const rig = await started(['--network', 'practice', '-P', url], 'miner')
    const client = connect(rig, { control: true })
    let latest: PoolsView | null = null
    client.on('miner.pools', (view) => {
      latest = view
    })
    await until(
      async () => latest,
      (view) => view?.pools[0]?.state === 'active',
    )

    const tested = await client.call('miner.poolTest', { url })
    const refused = await client.call('miner.poolTest', { url: 'http://127.0.0.1:1' })
    await client.call('miner.poolAdd', { url: `http://me.rig:secret@127.0.0.1:${node.ready().http?.split(':')[1]}` })
    await client.call('miner.poolActivate', { index: 1 })
    const switched = await until(
      async () => latest,
      (view) => view?.pools[1]?.state === 'active',
    )
    const moved = { index: 0, shown: 'http://somebody.example:1' }
    for (const call of [
      client.call('miner.poolAddress', moved),
      client.call('miner.poolEdit', { ...moved, url: 'http://127.0.0.1:2' }),
      client.call('miner.poolRemove', moved),
      client.call('miner.poolMove', { ...moved, to: 1 }),
      client.call('miner.poolActivate', moved),
    ])
      await expect(call).rejects.toMatchObject({ code: 'HOST_POOL_MOVED' })
    await client.call('miner.poolRemove', { index: 0, shown: switched?.pools[0]?.url })
    const left = await until(
      async () => latest,
      (view) => view?.pools.length === 1,
    )

    expect(tested).toMatchObject({ ok: true, dialect: 'getwork', epoch: 0 })
    expect(refused).toMatchObject({ ok: false })
    expect(JSON.stringify(switched)).not.toContain('secret')
    expect(left?.pools[0]).toMatchObject({ index: 0, user: 'me', worker: 'rig', active: true })
    await expect(client.call('miner.poolRemove', { index: 0 })).rejects.toMatchObject({ code: 'POOL_ACTIVE' })
    await expect(client.call('miner.poolAdd', { url: 'foo://u:hidden@h:1' })).rejects.toThrow(/unknown scheme/)
    expect(Number((await summaryOf(rig)).pool?.switches)).toBe(1)
  })

  it('mines for the pool instead of its own node in a full run too', async () => {
    const node = await started([], 'node')
    const rig = await started(['-P', `http://${node.ready().http}`], 'run')

    const summary = await until(
      () => summaryOf(rig),
      ({ shares }) => Number(shares?.accepted) >= 1,
    )

    expect(summary.pool).toMatchObject({ host: node.ready().http })
    expect(rig.ready().http).not.toBe(node.ready().http)
  })

  it('leaves no socket or timer open after a stop, connected or not', async () => {
    const node = await started([], 'node')
    const before = process.getActiveResourcesInfo().sort()
    const watched = ['--rig', 'gone=127.0.0.1:1', '--rig', `silent=${node.ready().http}`]
    const rig = await started(['--network', 'practice', '-P', `http://${node.ready().http}`, '-R', ...watched], 'miner')
    await until(
      () => summaryOf(rig),
      ({ pool }) => pool?.connected === true,
    )

    await rig.stop()
    await until(
      async () => process.getActiveResourcesInfo().sort(),
      (after) => after.length <= before.length,
    )
  })

  it('ends the program when the list reaches its exit', async () => {
    const words = ['--network', 'practice', '-P', 'stratum+tcp://u@127.0.0.1:1', '-P', 'exit', '--retry-max', '1']
    const folder = temporaryDataDir()
    folders.push(folder)
    const { backend } = await makeBackend(folder.dir, words, 'miner')
    running.push(backend)
    const asked = new Promise<void>((resolve) => backend.events.on('exitAsked', () => resolve()))

    await backend.start(new AbortController().signal)

    await asked
  })
})
