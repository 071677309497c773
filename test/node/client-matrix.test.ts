// The same work by every client on our node and on prlx: deploy, call, send, access lists, reverts, filters,
// subscriptions, signing. The output must be the same on both. Clients that aren't dependencies come from the folder
// CLIENT_PROGRAMS, prlx from PEER_PROGRAMS; without prlx, only our own results are checked.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { JsonRpcProvider, keccak256, toUtf8Bytes, verifyMessage, Wallet } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../src/base/hex'
import { practiceGenesis } from '../../src/node/networks'
import type { Json } from '../json-rpc'
import { CLIENTS, type Urls } from './clients/client-programs'
import { newFolder, practiceNode, Sealer } from './practice-node'
import { HAS_REFERENCE, ReferenceNode } from './reference/reference-node'

const RICH = new Wallet(`0x${'4c'.repeat(32)}`)
const API = ['eth', 'net', 'web3', 'debug', 'txpool']

/** Each client has its own, so that it starts with nonce 0 on both nodes. */
function walletOf(name: string): Wallet {
  return new Wallet(keccak256(toUtf8Bytes(name)))
}

/** Funds every client. */
async function fund(url: string, names: readonly string[]): Promise<void> {
  const provider = new JsonRpcProvider(url, undefined, { pollingInterval: 50 })
  const rich = RICH.connect(provider)
  let last = null
  for (const [nonce, name] of names.entries())
    last = await rich.sendTransaction({ to: walletOf(name).address, value: 10n ** 20n, nonce })
  await last?.wait()
  provider.destroy()
}

describe('clients', () => {
  const folder = newFolder()
  const node = practiceNode(join(folder, 'chain'), {
    genesis: () => practiceGenesis(bytesOfHex(RICH.address, 20), 'none'),
    rpc: {
      http: { host: '127.0.0.1', port: 0, api: API, vhosts: [], corsOrigins: [] },
      ws: { host: '127.0.0.1', port: 0, api: API, origins: [] },
      ipcPath: join(folder, 'node.ipc'),
      bodyLimitBytes: 5_242_880,
      batchLimit: 1000,
      getworkHeight: false,
    },
  })
  const sealer = new Sealer(true)
  const reference = new ReferenceNode()
  let ours: Urls = { http: '', ws: '' }
  beforeAll(async () => {
    const there = CLIENTS.filter(({ missing }) => missing === null).map(({ name }) => name)
    await node.start(new AbortController().signal)
    await sealer.start(node)
    const [http, ws] = [node.rpcAddress(), node.rpcWsAddress()]
    ours = { http: `http://127.0.0.1:${http?.port}`, ws: `ws://127.0.0.1:${ws?.port}` }
    await fund(ours.http, there)
    if (!HAS_REFERENCE) return
    await reference.startSealing(RICH.privateKey.slice(2), RICH.address)
    await fund(reference.urls.http, there)
  })
  afterAll(async () => {
    await sealer.stop()
    await node.stop()
    await reference.stop()
    rmSync(folder, { recursive: true })
  })

  for (const { name, version, missing, isSigning, referenceFault, run } of CLIENTS)
    it.skipIf(missing !== null)(
      `${[name, version].join(' ').trim()} works${missing === null ? '' : ` (skipped: ${missing})`}`,
      async () => {
        const { address, privateKey: key } = walletOf(name)
        const job = { key, hasSigners: false }
        const found: Json = await run({ ...job, ...ours, folder: join(folder, `${name}-ours`) })

        expect(String(found.chainId)).toBe('1337')
        expect([found.before, found.after].map(String)).toEqual(['7', '9'])
        expect(found.events).toHaveLength(2)
        expect(found.changes).toHaveLength(2)
        expect(JSON.stringify(found.faults)).toMatch(/not today/)
        if (isSigning) expect(verifyMessage('hello', found.signed)).toBe(address)
        if (!HAS_REFERENCE) return
        const where = { ...reference.urls, folder: join(folder, `${name}-reference`), hasSigners: true }
        const theirs = run({ ...job, ...where })
        if (referenceFault !== undefined) await expect(theirs).rejects.toThrow(referenceFault)
        else expect(found).toEqual(await theirs)
      },
    )
})
