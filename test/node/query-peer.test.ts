// Traces compared with prlx's, field by field: every transaction of the odd chain with every tracer, and random programs.
// Needs prlx in PEER_PROGRAMS (a folder).
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../free-port'
import { ask, type Json } from '../json-rpc'
import { peerProgram } from '../peer-programs'
import { QueryNode } from './query-node'

const ROOT = resolve(import.meta.dirname, '../..')
const peer = peerProgram('prlx') ?? 'prlx'
const folder = join(ROOT, 'test/vectors/chain/chain-kinds')
const PROGRAMS = 300
/** For a trace in either program: otherwise both give up after 5 s, which a busy machine takes. */
const PATIENCE = '10m'

describe.skipIf(peerProgram('prlx') === null)('traces compared with prlx (skipped without its program)', () => {
  const ours = new QueryNode({ folder, blocks: 'blocks.rlp', networkId: 4242 })
  const data = mkdtempSync(join(tmpdir(), 'headframe-peer-'))
  let theirs: ChildProcess
  let peerUrl = ''
  beforeAll(async () => {
    execFileSync(peer, ['--datadir', data, 'init', join(folder, 'genesis.json')], { stdio: 'ignore' })
    const load = ['--datadir', data, '--fakepow', '--gcmode', 'archive', 'import', join(folder, 'blocks.rlp')]
    execFileSync(peer, load, { stdio: 'ignore' })
    const port = await freePort()
    peerUrl = `http://127.0.0.1:${port}/`
    const net = [
      '--networkid',
      '4242',
      '--nodiscover',
      '--maxpeers',
      '0',
      '--port',
      '0',
      '--bootnodes',
      '',
      '--ipcdisable',
    ]
    const http = ['--http', '--http.addr', '127.0.0.1', '--http.port', String(port), '--http.api', 'eth,debug']
    theirs = spawn(peer, ['--datadir', data, '--fakepow', '--gcmode', 'archive', ...net, ...http], {
      stdio: 'ignore',
    })
    await ours.start()
    await answers(peerUrl)
  })
  afterAll(async () => {
    await ours.stop()
    theirs.kill()
    await once(theirs, 'exit')
    rmSync(data, { recursive: true })
  })

  const both = async (method: string, ...params: unknown[]): Promise<readonly [Json, Json]> => {
    const [mine, other] = await Promise.all([ask(ours.url(), method, params), ask(peerUrl, method, params)])
    return [mine.result ?? mine.error, other.result ?? other.error]
  }

  it.each([
    [{ enableMemory: true, timeout: PATIENCE }],
    [{ tracer: 'callTracer', timeout: PATIENCE }],
    [{ tracer: 'prestateTracer', timeout: PATIENCE }],
    [{ tracer: '4byteTracer', timeout: PATIENCE }],
  ])('are the same for every transaction of the odd chain with %j', async (options) => {
    const head = Number((await both('eth_blockNumber'))[0])
    for (let number = 1; number <= head; number++) {
      const [mine, other] = await both('debug_traceBlockByNumber', `0x${number.toString(16)}`, options)
      const wanted = other.map(({ result }: Json) => ({ result: decided(result) }))
      // Vitest's own comparison takes ten times as long over half a million entries.
      if (!isDeepStrictEqual(mine, wanted)) expect(mine, `block ${number}`).toEqual(wanted)
    }
  })

  it('have the same state roots after each transaction, and the same accounts changed by each block', async () => {
    const head = Number((await both('eth_blockNumber'))[0])
    for (let number = 1; number <= head; number++) {
      const { hash } = (await ask(ours.url(), 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false])).result
      const [roots, theirRoots] = await both('debug_intermediateRoots', hash)
      const [accounts, theirAccounts] = await both('debug_getModifiedAccountsByNumber', number)

      expect(roots, `block ${number}`).toEqual(theirRoots)
      if (Array.isArray(theirAccounts))
        expect([...accounts].sort(), `block ${number}`).toEqual([...theirAccounts].sort())
    }
  })

  it('are the same for random programs', async () => {
    const random = generator(20_260)
    for (let i = 0; i < PROGRAMS; i++) {
      const options = {
        enableMemory: true,
        timeout: PATIENCE,
        stateOverrides: { [CONTRACT]: { code: programOf(random), balance: '0xffff' } },
      }
      const call = { to: CONTRACT, gas: '0x11170', data: `0x${'5a'.repeat(random(70))}` }
      const [mine, other] = await both('debug_traceCall', call, 'latest', options)
      const wanted = decided(other)
      if (!isDeepStrictEqual(mine, wanted)) expect(mine, JSON.stringify(options)).toEqual(wanted)
    }
  })
})

const CONTRACT = '0x00000000000000000000000000000000000c0de1'

/** Known differences: stack items of 64 digits, `error: null` where prlx omits it. */
function decided(result: Json): Json {
  if (result.structLogs === undefined) return result
  const structLogs = result.structLogs.map((entry: Json) => ({
    ...entry,
    error: entry.error ?? null,
    ...(entry.stack === undefined ? {} : { stack: entry.stack.map((item: string) => item.slice(2).padStart(64, '0')) }),
  }))
  return { ...result, structLogs }
}

/** Small numbers, 0 to `below` - 1, the same in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const CALLS = ['f0', 'f1', 'f2', 'f4', 'f5', 'fa']

/** Mostly sensible: operands first, then an instruction that takes them, and sometimes any byte at all. */
function programOf(random: (below: number) => number): string {
  let code = '0x'
  const hex = (value: number): string => value.toString(16).padStart(2, '0')
  for (let i = 0; i < 40; i++) {
    const kind = random(10)
    for (let operand = 0; operand < (kind < 8 ? 3 : 7); operand++) {
      const wide = random(12)
      if (wide === 0) code += `7f${Array.from({ length: 32 }, () => hex(random(256))).join('')}`
      else if (wide === 1) code += `67${'ff'.repeat(8)}`
      else code += `60${hex(random(64))}`
    }
    if (kind === 9) code += `${random(2) === 0 ? '30' : ''}5a${CALLS[random(CALLS.length)]}`
    else if (kind === 8) code += hex(random(256))
    else
      code += hex(
        [random(0x0c), 0x10 + random(0x0e), 0x20, 0x30 + random(0x18), 0x50 + random(0x06), 0xa0 + random(5)][
          random(6)
        ] ?? 0,
      )
  }
  return code
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const isUp = await ask(url, 'eth_chainId', []).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((done) => setTimeout(done, 100))
  }
}
