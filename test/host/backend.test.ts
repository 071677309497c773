// The composition root as a whole: real workers, real store, real sockets.
import { writeFileSync } from 'node:fs'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { WireClient } from '../../src/base/wire/client'
import type { Contract } from '../../src/contract/contract'
import type { NodeHeadView } from '../../src/contract/node'
import type { RequestView } from '../../src/contract/signer'
import type { Backend } from '../../src/host/backend'
import { connect, makeBackend, notBuilt, temporaryDataDir } from './backend-fixture'

const never = new AbortController().signal
/** For what needs no block. */
const STILL = ['--mine=false']

function headWhere(client: WireClient<Contract>, isWanted: (head: NodeHeadView) => boolean): Promise<NodeHeadView> {
  return new Promise((resolve) => client.on('node.head', (head) => void (isWanted(head) && resolve(head))))
}

function firstRequest(client: WireClient<Contract>): Promise<RequestView> {
  return new Promise((resolve) => {
    client.on('signer.requests', ({ waiting }) => void (waiting[0] !== undefined && resolve(waiting[0])))
  })
}

/** `items` without one for each of `taken`. */
function without(items: readonly string[], taken: readonly string[]): string[] {
  const rest = [...items]
  for (const item of taken) if (rest.includes(item)) rest.splice(rest.indexOf(item), 1)
  return rest
}

describe.skipIf(notBuilt !== null)(`the backend${notBuilt === null ? '' : ` (skipped: ${notBuilt})`}`, () => {
  const cleanUp: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step()
  })

  const folder = (): string => {
    const { dir, remove } = temporaryDataDir()
    cleanUp.push(remove)
    return dir
  }
  const started = async (dir = folder(), more: readonly string[] = [], command = 'run'): Promise<Backend> => {
    const { backend } = await makeBackend(dir, more, command)
    await backend.start(never)
    cleanUp.push(() => backend.stop())
    return backend
  }

  // First of all: nothing of the process is set up yet for either.
  it('runs twice in one process, each with its own chain and ports', async () => {
    const [first, second] = await Promise.all([started(), started()])

    const heads = await Promise.all(
      [first, second].map((backend) => headWhere(connect(backend), (view) => (view.head?.number ?? 0) >= 1)),
    )

    expect(heads[0]?.coinbase).not.toBe(heads[1]?.coinbase)
    expect(first.ready().api).not.toBe(second.ready().api)
  })

  it('mines practice blocks, notifies every user interface, and continues with chain and account after a stop', async () => {
    const dir = folder()
    const { backend } = await makeBackend(dir)
    await backend.start(never)
    const before = await headWhere(connect(backend), (view) => (view.head?.number ?? 0) >= 2)
    await backend.stop()
    expect(before).toMatchObject({ state: 'running', peers: null, targetSpacingSeconds: 5, maturityBlocks: 10 })
    expect(before.coinbase).toMatch(/^0x[0-9a-f]{40}$/)

    const again = connect(await started(dir, STILL))
    const head = await headWhere(again, (view) => view.head !== null)
    const { block } = await again.call('node.block', { id: before.head?.number ?? 0 })

    expect(head.coinbase).toBe(before.coinbase)
    expect(block?.hash).toBe(before.head?.hash)
  })

  it('accepts a decision only from a connection that may decide, and shows requests only to it', async () => {
    const backend = await started(folder(), STILL)
    const watcher = connect(backend, { control: true })
    const decider = connect(backend, { approve: true })
    const waitingCounts: number[] = []
    watcher.on('signer.requests', ({ waiting, waitingCount }) => waitingCounts.push(waiting.length, waitingCount))

    await watcher.call('signer.requestNewAccount', {})
    const { id, nonce, contentHash } = await firstRequest(decider)
    const password = Buffer.from('a long password').toString('base64')
    const decision = { id, nonce, contentHash, decision: 'approve', password, accounts: null } as const

    await expect(watcher.call('signer.decide', decision)).rejects.toMatchObject({ code: 'CONTRACT_DENIED' })
    expect(await decider.call('signer.decide', decision)).toEqual({ state: 'approved', error: '' })
    expect(waitingCounts.slice(0, 4)).toEqual([0, 0, 0, 1])
  })

  it('pauses and resumes the device through the contract', async () => {
    const client = connect(await started(), { control: true })
    const paused = new Promise((resolve) => {
      client.on(
        'miner.devices',
        ({ devices }) => void (devices[0]?.paused === true && resolve(devices[0].pauseReasons)),
      )
    })

    await client.call('miner.pause', { device: 0 })

    expect(await paused).toEqual(['Api request'])
    await expect(client.call('miner.resume', { device: 9 })).rejects.toMatchObject({ code: 'DEVICE_UNKNOWN' })
  })

  it('runs the node alone, without signer and miner', async () => {
    const backend = await started(folder(), STILL, 'node')

    expect(backend.ready()).toMatchObject({ api: null, signer: null, dashboard: null })
    expect(backend.ready().http).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(backend.dashboardLinks()).toBeNull()
  })

  it('writes the ready file last, with every listening address', async () => {
    const dir = folder()
    const backend = await started(dir, [...STILL, '--ready-file', join(dir, 'r.json')])

    const written: unknown = JSON.parse(await readFile(join(dir, 'r.json'), 'utf8'))

    expect(written).toEqual({ ...backend.ready(), startMark: expect.any(String) })
    expect(written).toMatchObject({ network: 'practice', chainId: 1337, ws: null, p2p: null })
  })

  it('rejects a data directory that another process uses, and names it', async () => {
    const dir = folder()
    await started(dir, STILL)

    await expect((await makeBackend(dir, STILL)).backend.start(never)).rejects.toMatchObject({
      code: 'HOST_DATA_DIR_IN_USE',
      data: { dir, pid: process.pid },
    })
  })

  it('fails with the number of a port that is in use, and leaves nothing behind', async () => {
    const dir = folder()
    const blocker = createServer()
    await new Promise<void>((done) => blocker.listen(0, '127.0.0.1', done))
    cleanUp.push(() => new Promise<void>((done) => blocker.close(() => done())))
    const address = blocker.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0

    const failing = (await makeBackend(dir, [...STILL, '--api-bind', `127.0.0.1:${port}`])).backend

    await expect(failing.start(never)).rejects.toMatchObject({ code: 'HOST_PORT_IN_USE', data: { port } })
    await expect(started(dir, STILL)).resolves.toBeDefined()
  })

  it('fails with the folder of a damaged chain database', async () => {
    const dir = folder()
    const { backend } = await makeBackend(dir, STILL)
    await backend.start(never)
    await backend.stop()
    const chain = join(dir, 'practice/chain')
    await rename(chain, `${chain}.away`)
    await mkdir(chain)
    writeFileSync(join(chain, 'CURRENT'), 'MANIFEST-999999\n')

    await expect((await makeBackend(dir, STILL)).backend.start(never)).rejects.toMatchObject({
      code: expect.stringMatching(/^STORE_/),
      message: expect.stringContaining(chain),
    })
  })

  it('leaves no socket, worker or timer open after a stop', async () => {
    const before = process.getActiveResourcesInfo()
    const { backend } = await makeBackend(folder())
    await backend.start(never)
    await headWhere(connect(backend), (view) => (view.head?.number ?? 0) >= 1)

    await backend.stop()

    // What was closed is gone some turns of the event loop later, along with vitest's own message to its parent.
    await expect.poll(() => without(process.getActiveResourcesInfo(), before)).toEqual([])
  })
})
