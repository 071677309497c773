// The real practice chain: work, seals, import, database, RPC, restart.
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import type { NodeService } from '../../src/node/node-service'
import { newFolder, practiceNode, reachesHeight, Sealer } from './practice-node'

const signal = new AbortController().signal

describe('a practice node', () => {
  const nodes: NodeService[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })
  const started = async (folder: string, changes: Parameters<typeof practiceNode>[1] = {}) => {
    const node = practiceNode(folder, changes)
    nodes.push(node)
    await node.start(signal)
    return node
  }
  const folder = () => {
    const made = newFolder()
    folders.push(made)
    return made
  }

  it('gives work, accepts seals, pays subsidies after maturity, and survives a kill', async () => {
    const dir = folder()
    const node = await started(dir)
    expect(node.head()?.number).toBe(0)
    const sealer = new Sealer()
    await sealer.start(node)
    await reachesHeight(node, 12)
    await sealer.stop()

    const head = await node.reader.head()
    const coinbase = new Uint8Array(20).fill(0xcb)
    const account = await node.reader.account(coinbase)
    const paid = BigInt(head.number - 10) * 50n * 10n ** 18n
    expect(account).toMatchObject({ balance: paid, locked: 500n * 10n ** 18n })
    expect(account?.nextUnlock).toEqual({ height: head.number + 1, amount: 50n * 10n ** 18n })
    const rows = await node.reader.blocksDown(null, 3)
    expect(rows.map((row) => row.number)).toEqual([head.number, head.number - 1, head.number - 2])

    // What a killed process leaves: the files as they are while the database is open.
    const copy = folder()
    cpSync(dir, copy, { recursive: true })
    const again = await started(copy)
    expect(toHex(again.head()?.hash ?? new Uint8Array(0))).toBe(toHex(head.hash))
    expect(await again.reader.account(coinbase)).toEqual(account)
  })

  it('says that the database is in use', async () => {
    const dir = folder()
    await started(dir)

    await expect(practiceNode(dir).start(signal)).rejects.toMatchObject({ code: 'STORE_LOCKED', data: { folder: dir } })
  })

  it('says that the database is damaged, and where', async () => {
    const dir = folder()
    const node = practiceNode(dir)
    await node.start(signal)
    await node.stop()
    for (const file of readdirSync(dir).filter((name) => name.startsWith('MANIFEST')))
      writeFileSync(join(dir, file), 'not a manifest')

    const failure = practiceNode(dir).start(signal)
    await expect(failure).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    await expect(failure).rejects.toThrow(dir)
  })

  it('keeps its stored genesis if another one is given', async () => {
    const dir = folder()
    const node = await started(dir)
    const genesis = (await node.reader.header(0))?.hash
    await node.stop()

    const again = await started(dir, { genesis: () => null })
    expect((await again.reader.header(0))?.hash).toEqual(genesis)
  })

  it('gives no work without a coinbase, and work once one is set', async () => {
    const node = await started(folder(), { coinbase: () => null })
    expect(node.currentWork()).toBeNull()

    const given = new Promise((resolve) => node.events.on('workChanged', resolve))
    await node.setCoinbase(new Uint8Array(20).fill(1))

    expect(await given).toMatchObject({ height: 1, epoch: 0, difficulty: 16_384n })
  })

  it('can be stopped and started again', async () => {
    const node = await started(folder())
    await node.stop()
    await node.start(signal)
    expect(node.head()?.number).toBe(0)
  })
})
