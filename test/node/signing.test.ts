// eth_accounts, eth_sign, eth_signTransaction and eth_sendTransaction of a real node whose accounts a real signer
// holds: the one in the same program, one behind HTTP, one behind a local socket, and clef if it
// is available.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../src/base/hex'
import { remoteSigner } from '../../src/host/adapters/remote-signer'
import { embeddedSigner } from '../../src/host/signer/create-node-accounts'
import { recoverAddress } from '../../src/signer/keystore/secret-key'
import { peerProgram } from '../peer-programs'
import { ACCOUNT_A, ACCOUNT_B, Harness, PASSWORD_A } from '../signer/harness'
import { RunningClef } from './clef'
import { NodeWithAccounts } from './node-with-accounts'
import { newFolder } from './practice-node'

const OWN = ACCOUNT_A.toLowerCase()
const TRANSFER = { from: ACCOUNT_A, to: ACCOUNT_B, value: '0x1', gas: '0x5208', gasPrice: '0x3b9aca00' }
/** keccak-256 of the personal message `hello` */
const HELLO_HASH = bytesOfHex('0x50b2c43fd39106bafbba0da34fc430e1f91e3c96ea2acee2bc34119f92b37750')

describe.each(['embedded', 'http', 'ipc'] as const)('a node whose signer is %s', (kind) => {
  const folder = newFolder()
  let harness: Harness
  let server: NodeWithAccounts
  beforeAll(async () => {
    const ipc = { path: join(folder, 'signer.ipc'), isWindows: false }
    harness = await Harness.start({ keystore: 'one', service: { chainId: 1337, ipc } })
    const url = `http://127.0.0.1:${harness.port}`
    const ask = { embedded: embeddedSigner(harness.service), http: remoteSigner(url), ipc: remoteSigner(ipc.path) }[
      kind
    ]
    server = new NodeWithAccounts(ask)
    await server.start()
  })
  afterAll(async () => {
    await server.stop()
    await harness.end()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(() => harness.service.rejectAll())

  it('asks which accounts may be disclosed, and discloses none when rejected', async () => {
    const refused = server.call('eth_accounts', [])
    await harness.reject(await harness.nextRequest())
    expect(await refused).toMatchObject({ result: [] })

    const told = server.call('eth_accounts', [])
    const request = await harness.nextRequest()
    expect(request.kind).toBe('listing')
    await harness.approve(request, { accounts: [ACCOUNT_A] })
    expect(await told).toMatchObject({ result: [OWN] })
  })

  it('signs an approved message, and passes on the rejection of another', async () => {
    const signed = server.call('eth_sign', [ACCOUNT_A, '0x68656c6c6f'])
    await harness.approve(await harness.nextRequest(), { password: PASSWORD_A })
    const signature = bytesOfHex(String((await signed).result), 65)
    signature[64] = (signature[64] ?? 0) - 27
    expect(recoverAddress(HELLO_HASH, signature)).toBe(OWN)

    const refused = server.call('eth_sign', [ACCOUNT_A, '0x68656c6c6f'])
    await harness.reject(await harness.nextRequest())
    expect((await refused).error).toEqual({ code: -32000, message: 'request denied' })
  })

  it('gives two concurrent sends two nonces, one request after the other', async () => {
    const sends = [server.call('eth_sendTransaction', [TRANSFER]), server.call('eth_sendTransaction', [TRANSFER])]
    for (const nonce of [0, 1]) {
      const request = await harness.requestsWhere((waiting) =>
        waiting.find((one) => String(one.transaction?.nonce) === String(nonce)),
      )
      expect(harness.service.requests().filter((one) => one.state === 'waiting')).toHaveLength(1)
      await harness.approve(request, { password: PASSWORD_A })
    }

    const hashes = (await Promise.all(sends)).map((answer) => answer.result)

    expect(new Set(hashes).size).toBe(2)
    expect(await server.call('eth_getTransactionCount', [ACCOUNT_A, 'pending'])).toMatchObject({ result: '0x2' })
    const pending = (await server.call('eth_pendingTransactions', [])).result as { readonly hash: string }[]
    expect(pending.map((tx) => tx.hash).sort()).toEqual(hashes.map(String).sort())
  })

  it('signs without sending, with 90000 gas by default', async () => {
    const { gas: _gas, ...rest } = TRANSFER
    const signed = server.call('eth_signTransaction', [{ ...rest, nonce: '0x9' }])
    const request = await harness.nextRequest()
    expect(String(request.transaction?.gas)).toBe('90000')
    await harness.approve(request, { password: PASSWORD_A })

    expect((await signed).result).toMatch(/^0xf86/)
    expect(await server.call('eth_getTransactionCount', [ACCOUNT_A, 'pending'])).toMatchObject({ result: '0x2' })
  })

  it('asks nobody about an undisclosed account', async () => {
    const answer = await server.call('eth_sendTransaction', [{ ...TRANSFER, from: ACCOUNT_B }])

    expect(answer.error).toEqual({ code: -32000, message: 'unknown account' })
    expect(harness.service.requests()).toEqual([])
  })

  it('withdraws the request when the caller disconnects', async () => {
    const leaving = new AbortController()
    const asked = server.call('eth_sign', [ACCOUNT_A, '0x01'], leaving.signal)
    asked.catch(() => undefined)
    const request = await harness.nextRequest()

    const settled = new Promise<string>((resolve) => {
      harness.service.events.on('requestSettled', (one) => {
        if (one.id === request.id) resolve(one.state)
      })
    })
    leaving.abort()

    expect(await settled).toBe('withdrawn')
  })

  it.runIf(kind === 'embedded')('shows who asked the node', async () => {
    const asked = server.call('eth_sign', [ACCOUNT_A, '0x02'])
    const { caller } = await harness.nextRequest()

    expect(caller).toMatchObject({ transport: 'http', userAgent: 'a wallet', origin: 'http://a.page' })
    expect(caller.remote).toMatch(/^127\.0\.0\.1:\d+$/)
    harness.service.rejectAll()
    await asked
  })
})

const clef = peerProgram('clef')

describe.skipIf(clef === null)("a node whose signer is clef (skipped if it isn't there)", () => {
  let signer: RunningClef
  let server: NodeWithAccounts
  beforeAll(async () => {
    signer = await RunningClef.start(clef ?? '', { chainId: 1337, password: PASSWORD_A })
    server = new NodeWithAccounts(remoteSigner(signer.url))
    await server.start()
  })
  afterAll(async () => {
    await server?.stop()
    await signer?.stop()
  })

  it('lists, signs and sends through it, and passes its refusal on', async () => {
    expect(await server.call('eth_accounts', [])).toMatchObject({ result: [OWN] })
    const { result } = await server.call('eth_sign', [ACCOUNT_A, '0x68656c6c6f'])
    const signature = bytesOfHex(String(result), 65)
    signature[64] = (signature[64] ?? 0) - 27
    expect(recoverAddress(HELLO_HASH, signature)).toBe(OWN)
    expect((await server.call('eth_sendTransaction', [TRANSFER])).result).toMatch(/^0x[0-9a-f]{64}$/)

    signer.approves = false
    expect((await server.call('eth_sendTransaction', [TRANSFER])).error).toEqual({
      code: -32000,
      message: 'request denied',
    })
  })
})
