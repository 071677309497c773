// The peer signer and ours with the same generated requests and the same key file: signatures equal byte for byte. The
// peer is go-ethereum's signer, built by the test set-up if Go is there; skipped without it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checksumAddress } from '../../src/base/checksum-address'
import { toHex } from '../../src/base/hex'
import { byDepth } from '../depth'
import { freePort } from '../free-port'
import { peerProgram } from '../peer-programs'
import { ACCOUNT_A, Harness, PASSWORD_A, VECTORS } from './harness'

const CLEF = peerProgram('clef')
const CHAIN_ID = 2110
/** In total, over the three methods. */
const REQUESTS = byDepth(120, 500)

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/** The peer with a user who approves everything and types the password. */
class Peer {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #port: number
  readonly #folder: string

  private constructor(child: ChildProcessWithoutNullStreams, port: number, folder: string) {
    this.#child = child
    this.#port = port
    this.#folder = folder
    let rest = ''
    child.stderr.resume()
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (part: string) => {
      const lines = `${rest}${part}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.filter((text) => text.startsWith('{'))) this.#answer(line)
    })
  }

  static async start(): Promise<Peer> {
    const folder = await mkdtemp(join(tmpdir(), 'peer-signer-'))
    const keystore = join(folder, 'keystore')
    await cp(join(VECTORS, 'keystores', 'one'), keystore, { recursive: true })
    const port = await freePort()
    const places = ['--keystore', keystore, '--configdir', join(folder, 'config'), '--chainid', String(CHAIN_ID)]
    const http = ['--http', '--http.addr', '127.0.0.1', '--http.port', String(port), '--ipcdisable']
    const ui = ['--stdio-ui', '--suppress-bootwarn', '--lightkdf', '--nousb', '--advanced', '--auditlog', '']
    const child = spawn(CLEF ?? 'clef', [...places, ...http, ...ui], {
      cwd: folder,
      env: { ...process.env, HOME: folder },
    })
    const peer = new Peer(child, port, folder)
    for (let tries = 0; tries < 200; tries++) {
      if ((await peer.call({ method: 'account_version', params: [] }).catch(() => null)) !== null) return peer
      await new Promise((done) => setTimeout(done, 50))
    }
    throw new Error('the peer signer does not answer')
  }

  call({ method, params }: Call): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return new Promise((done, fail) => {
      const headers = { 'content-type': 'application/json' }
      const request = httpRequest({ host: '127.0.0.1', port: this.#port, method: 'POST', headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
        })
        response.on('end', () => {
          const answer = JSON.parse(text) as { result?: unknown; error?: { message: string } }
          if (answer.error === undefined) done(answer.result)
          else fail(new Error(`${answer.error.message}: ${body}`))
        })
      })
      request.on('error', fail)
      request.end(body)
    })
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#child.once('exit', done))
    this.#child.kill('SIGKILL')
    await ended
    await rm(this.#folder, { recursive: true, force: true })
  }

  #answer(line: string): void {
    const { id, method, params } = JSON.parse(line) as { id?: number; method?: string; params?: readonly unknown[] }
    if (id === undefined || method === undefined) return
    const offered = (params?.[0] ?? {}) as { transaction?: unknown }
    const result =
      method === 'ui_onInputRequired' ? { text: PASSWORD_A } : { approved: true, transaction: offered.transaction }
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  }
}

const quantity = (bits: bigint) =>
  fc.bigInt({ min: 0n, max: (1n << bits) - 1n }).map((value) => `0x${value.toString(16)}`)
const data = (maxLength: number) => fc.uint8Array({ maxLength }).map(toHex)
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => checksumAddress(toHex(bytes)))
const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex)
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(word, { maxLength: 3 }) }), { maxLength: 3 })
const common = {
  from: fc.constant(ACCOUNT_A),
  to: address,
  gas: quantity(64n),
  nonce: quantity(64n),
  value: quantity(256n),
}
const transaction = fc.oneof(
  fc.record({ ...common, gasPrice: quantity(256n), data: data(100) }),
  fc.record({ ...common, gasPrice: quantity(256n), input: data(100), accessList }),
  fc.record({ ...common, maxFeePerGas: quantity(256n), maxPriorityFeePerGas: quantity(256n), accessList }),
  fc.record({
    from: common.from,
    gas: common.gas,
    nonce: common.nonce,
    gasPrice: quantity(64n),
    data: data(60).filter((text) => text.length > 2),
  }),
)
const document = fc
  .record({
    chainId: fc.nat().map(String),
    name: fc.string(),
    to: address,
    amount: quantity(256n),
    items: fc.array(fc.record({ id: fc.nat(), note: fc.string() }), { maxLength: 4 }),
    tags: fc.array(word, { maxLength: 3 }),
    signed: fc.bigInt({ min: -(1n << 127n), max: (1n << 127n) - 1n }).map(String),
    flag: fc.boolean(),
    blob: data(50),
  })
  .map(({ chainId, name, ...message }) => ({
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Item: [
        { name: 'id', type: 'uint32' },
        { name: 'note', type: 'string' },
      ],
      Order: [
        { name: 'to', type: 'address' },
        { name: 'amount', type: 'uint256' },
        { name: 'items', type: 'Item[]' },
        { name: 'tags', type: 'bytes32[]' },
        { name: 'signed', type: 'int128' },
        { name: 'flag', type: 'bool' },
        { name: 'blob', type: 'bytes' },
      ],
    },
    primaryType: 'Order',
    // An empty name counts as absent there and here, and then the type doesn't match.
    domain: { name: `n${name}`, chainId },
    message,
  }))
const call: fc.Arbitrary<Call> = fc.oneof(
  transaction.map((tx) => ({ method: 'account_signTransaction', params: [tx] })),
  data(200).map((text) => ({ method: 'account_signData', params: ['text/plain', ACCOUNT_A, text] })),
  document.map((content) => ({ method: 'account_signTypedData', params: [ACCOUNT_A, content] })),
)

describe.skipIf(CLEF === null)('the peer signer and ours', () => {
  let peer: Peer
  let ours: Harness

  beforeAll(async () => {
    peer = await Peer.start()
    ours = await Harness.start({ keystore: 'one', service: { chainId: CHAIN_ID } })
    ours.service.events.on('requestsChanged', (requests) => {
      for (const request of requests) {
        if (request.state === 'waiting') ours.approve(request, { password: PASSWORD_A }).catch(() => undefined)
      }
    })
  })

  afterAll(async () => {
    await ours.end()
    await peer.stop()
  })

  it('sign the same bytes', async () => {
    const caller = { transport: 'app', remote: 'NA', local: 'NA', userAgent: '', origin: '' } as const
    const origin = { caller, callerGone: new AbortController().signal }
    const methods = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(call, async (one) => {
        const [theirs, mine] = await Promise.all([peer.call(one), ours.service.submit(one, origin)])
        methods.set(one.method, (methods.get(one.method) ?? 0) + 1)

        expect(mine).toEqual(theirs)
      }),
      { numRuns: REQUESTS, endOnFailure: true },
    )
    expect(Math.min(...methods.values())).toBeGreaterThan(REQUESTS / 12)
  })
})
