import { describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../../base/hex'
import { FakeClock } from '../../../base/testing/fake-clock'
import { ChainReads } from '../../chain/chain-store'
import { keccak256 } from '../../codec/keccak'
import { MAIN_CONSENSUS } from '../../consensus/params'
import { EMPTY_ACCOUNT, encodeAccount } from '../../execution/account'
import { loadEngineModule } from '../../execution/wasm/module-file'
import { stateKeys } from '../../store/keys'
import { MemoryStore } from '../../store/store'
import { slowStore } from '../../testing/slow-store'
import { plainHeader } from '../../testing/test-header'
import type { AskRequest, CallArguments } from '../query-wire'
import type { ChainView } from '../snapshots'
import {
  InlineQueries,
  inlineSession,
  MAX_GIVEN_UP,
  MAX_SLOW,
  MAX_WAITING,
  READ_MS,
  RECOVERY_MS,
  ReadBudget,
  SLOW_RECOVERY_MS,
  TURN_MS,
} from './inline-queries'

const RICH = new Uint8Array(20).fill(0x11)
const HEIGHT = 7
const LATEST = { kind: 'tag', tag: 'latest' } as const
const CODES = {
  /** Returns its input. */
  echo: '366000600037366000f3',
  /** Reverts with Error("no"), as its input has it. */
  revert: '366000600037366000fd',
  endless: '5b600056',
  nested: '60006000600060006000305af100',
  /** KECCAK of 16 MiB. */
  hash: '6301000000600020',
  /** ecrecover of nothing. */
  recover: '600060006000600060015afa00',
  /** SHA-256 of 50,000 bytes. */
  digest: '6000600061c350600060025afa00',
} as const
const addressOf = (name: keyof typeof CODES) => new Uint8Array(20).fill(0xa0 + Object.keys(CODES).indexOf(name))

const loaded = loadEngineModule(import.meta.dirname)
if ('absent' in loaded) throw new Error(loaded.absent)
const engine = loaded.module
/** What runs calls. */
/** An account with a balance, and a contract for each code. Reads take as long as a test says. */
async function inlineOver() {
  const clock = new FakeClock()
  const store = new MemoryStore()
  await store.write([[stateKeys.account(RICH), encodeAccount({ ...EMPTY_ACCOUNT, balance: 255n })]])
  for (const name of Object.keys(CODES) as (keyof typeof CODES)[]) {
    const code = bytesOfHex(CODES[name])
    const codeHash = keccak256(code)
    const account = encodeAccount({ ...EMPTY_ACCOUNT, nonce: 1n, codeHash })
    await store.write([
      [stateKeys.account(addressOf(name)), account],
      [stateKeys.code(codeHash), code],
    ])
  }
  const coinbase = new Uint8Array(20)
  const state = {
    readMs: 0,
    pauseMs: 0,
    reads: 0,
    head: 1,
    coinbase,
    turns: [] as (() => void)[],
  }
  const reads = new ReadBudget(READ_MS, clock)
  const watched = slowStore(store, state, { clock, limit: reads })
  const viewOf = (head: number) => ({
    store: watched,
    reads: new ChainReads(watched),
    head: {
      hash: new Uint8Array(32).fill(head),
      header: plainHeader({
        number: BigInt(HEIGHT),
        stateRoot: new Uint8Array(32).fill(head),
        coinbase: state.coinbase,
      }),
    },
  })
  let view = viewOf(state.head)
  const current = () => {
    if (view.head.hash[0] !== state.head) view = viewOf(state.head)
    return view as unknown as ChainView
  }
  const limits = { chainId: 1n, gasCap: 600_000_000, callTimeoutMs: 5_000, epochBlocks: 720 }
  const views = { current, close: async () => undefined }
  const session = inlineSession({ ...limits, subsidies: MAIN_CONSENSUS }, { views, module: engine })
  const nextTurn = (callback: () => void) => void state.turns.push(callback)
  const inline = new InlineQueries({ session, reads, clock, runsTraces: false, nextTurn })
  return { inline, clock, state }
}

const balance: AskRequest = { kind: 'balance', at: LATEST, address: RICH }

function callOf(
  name: keyof typeof CODES,
  data = '',
  changes: Partial<CallArguments> = {},
): AskRequest & { kind: 'call' } {
  const price = { gasPrice: null, feeCap: null, tip: null, accessList: null, nonce: null }
  const call = { ...price, from: null, to: addressOf(name), gas: null, value: 0n, data: bytesOfHex(data), ...changes }
  return { kind: 'call', at: LATEST, call, overrides: [] }
}

describe('small queries', () => {
  it('are answered at once', async () => {
    const { inline } = await inlineOver()

    expect(inline.answer(balance)).toBe('"0xff"')
    expect(inline.answer({ ...balance, kind: 'code', address: addressOf('echo') })).toBe(`"0x${CODES.echo}"`)
    expect(inline.answer(callOf('echo', 'c0ffee'))).toBe('"0xc0ffee"')
    expect(inline.answer({ ...balance, at: { kind: 'number', number: HEIGHT } })).toBe('"0xff"')
  })

  it('are the same after the head has changed', async () => {
    const { inline, state } = await inlineOver()
    void inline.answer(callOf('echo', 'aa'))

    state.head++
    state.reads = 0
    expect(inline.answer(callOf('echo', 'aa'))).toBe('"0xaa"')
    expect(state.reads).toBeGreaterThan(0)
  })

  it('fail as a worker would let them', async () => {
    const { inline } = await inlineOver()

    expect(() => inline.answer(callOf('revert', 'c0ffee'))).toThrow(expect.objectContaining({ code: 'RPC_REVERTED' }))
    expect(() => inline.answer(callOf('echo', '', { value: 1n }))).toThrow('insufficient funds')
    expect(inline.answer(callOf('endless', '', { gas: 30_000n }))).toBeNull() // why it failed takes longer to tell
  })
})

it('are left to a worker when the module breaks, and then run on another instance of it', async () => {
  const { inline, state } = await inlineOver()
  state.coinbase = new Uint8Array(3) // shorter than any address: the module reads past the end
  state.head++

  expect(inline.answer(callOf('echo', 'aa'))).toBeNull()

  state.coinbase = new Uint8Array(20)
  state.head++
  expect(inline.answer(callOf('echo', 'bb'))).toBe('"0xbb"')
})

describe('a worker gets', () => {
  const others: [string, AskRequest][] = [
    ['creations', callOf('echo', '', { to: null })],
    ['calls with much data', callOf('echo', '00'.repeat(4_097))],
    ['access lists', callOf('echo', '', { accessList: [] })],
    [
      'changed states',
      {
        ...callOf('echo'),
        overrides: [{ address: RICH, code: null, nonce: null, balance: 1n, state: null, stateDiff: null }],
      },
    ],
    ['older blocks', { ...balance, at: { kind: 'number', number: HEIGHT - 1 } }],
    ['blocks by hash', { ...balance, at: { kind: 'hash', hash: new Uint8Array(32), requireCanonical: false } }],
    ['the pending block', { ...balance, at: { kind: 'tag', tag: 'pending' } }],
    [
      'long proofs',
      { kind: 'proof', at: LATEST, address: RICH, keys: new Array(5).fill({ text: '0x0', slot: new Uint8Array(32) }) },
    ],
    ['searches', { kind: 'feeHistory', at: LATEST, blocks: 1, percentiles: null }],
    ['endless calls', callOf('endless')],
    ['contracts that call themselves', callOf('nested')],
    ['calls that hash megabytes', callOf('hash')],
    ['calls that hash much by a built-in contract', callOf('digest')],
    ['calls of built-in contracts that take long', callOf('recover')],
    ['what the database is too damaged for', { kind: 'proof', at: LATEST, address: RICH, keys: [] }],
  ]

  it.each(others)('%s', async (_, request) => {
    const { inline } = await inlineOver()

    expect(inline.answer(request)).toBeNull()
  })

  it('a function that took long once, until the head changes', async () => {
    const { inline, state } = await inlineOver()
    void inline.answer(callOf('endless', 'aabbccdd'))
    state.reads = 0

    void inline.answer(callOf('endless', 'aabbccdd00'))
    expect(state.reads).toBe(0)
    void inline.answer(callOf('endless', 'aabbccde'))
    expect(state.reads).toBe(0) // the code is cached

    state.head++
    void inline.answer(balance)
    state.reads = 0
    void inline.answer(callOf('endless', 'aabbccdd'))
    expect(state.reads).toBeGreaterThan(0)
  })

  it('calls while too many were given up, and one more after a while', async () => {
    const { inline, clock } = await inlineOver()
    const endless = (n: number) => inline.answer(callOf('endless', n.toString(16).padStart(8, '0')))
    for (let n = 0; n < MAX_GIVEN_UP; n++) void endless(n)

    expect(inline.answer(callOf('echo', 'aa'))).toBeNull()
    expect(inline.answer(balance)).toBe('"0xff"')
    clock.advance(RECOVERY_MS)
    expect(inline.answer(callOf('echo', 'aa'))).toBe('"0xaa"')
    void endless(MAX_GIVEN_UP)
    expect(inline.answer(callOf('echo', 'aa'))).toBeNull()
  })

  it('the rest of the reads after a slow one', async () => {
    const { inline, state } = await inlineOver()
    state.readMs = READ_MS + 1

    expect(inline.answer(callOf('echo', 'aa'))).toBeNull()
    expect(state.reads).toBe(1)
    for (const turn of state.turns.splice(0)) turn()
    state.readMs = 0
    expect(inline.answer(callOf('echo', 'aa'))).toBe('"0xaa"')
  })

  it('everything for a while after slow reads', async () => {
    const { inline, clock, state } = await inlineOver()
    state.readMs = READ_MS + 1

    for (let slow = 0; slow < MAX_SLOW + 1; slow++) {
      expect(inline.answer(balance)).toBe('"0xff"')
      for (const turn of state.turns.splice(0)) turn()
    }
    state.readMs = 0
    expect(inline.answer(balance)).toBeNull()
    clock.advance(SLOW_RECOVERY_MS)
    expect(inline.answer(balance)).toBe('"0xff"')
  })

  it('nothing else because the thread did not run for a while', async () => {
    const { inline, clock, state } = await inlineOver()
    state.pauseMs = 100

    for (let spent = 0; spent < 3; spent++) expect(inline.answer(balance)).toBe('"0xff"')
    expect(clock.monotonic()).toBe(300)
  })

  it('reads after several milliseconds in the same turn of the event loop', async () => {
    const { inline, state } = await inlineOver()
    state.readMs = 1

    for (let spent = 0; spent < TURN_MS; spent++) expect(inline.answer(balance)).toBe('"0xff"')
    expect(inline.answer(balance)).toBeNull()
    expect(state.turns).toHaveLength(1)
    for (const turn of state.turns.splice(0)) turn()
    expect(inline.answer(balance)).toBe('"0xff"')
  })
})

describe('calls after several milliseconds in the same turn of the event loop', () => {
  const nextTurn = ({ turns }: { readonly turns: (() => void)[] }) => {
    for (const turn of turns.splice(0)) turn()
  }
  async function lateInTurn() {
    const over = await inlineOver()
    void over.inline.answer(callOf('echo', 'ff')) // its reads are cached
    over.state.readMs = 1
    for (let spent = 0; spent < TURN_MS; spent++) void over.inline.answer(balance)
    return over
  }

  it('are answered in the next one, in their order', async () => {
    const { inline, state } = await lateInTurn()
    const answers: unknown[] = []
    const keep = (answer: unknown) => void answers.push(answer)
    const given = ['aa', 'bb'].map((data) => inline.answer(callOf('echo', data)))
    const failing = inline.answer(callOf('revert', 'c0ffee'))
    if (!(failing instanceof Promise)) throw new Error('answered at once')
    failing.catch((error: Error) => keep(error.message))
    for (const answer of given) void Promise.resolve(answer).then(keep)
    await Promise.resolve()
    expect(answers).toEqual([])

    state.readMs = 0
    nextTurn(state)
    await Promise.allSettled([...given, failing])
    expect(answers).toEqual(['"0xaa"', '"0xbb"', expect.stringContaining('reverted')])
    expect(inline.answer(callOf('echo', 'cc'))).toBe('"0xcc"')
  })

  it('wait behind each other for as many turns as they need', async () => {
    const { inline, state } = await lateInTurn()
    state.readMs = READ_MS + 1
    // Each reads another contract and takes more than a turn may.
    const given = [inline.answer(callOf('digest')), inline.answer(callOf('hash')), inline.answer(callOf('echo', 'aa'))]
    let answered = 0
    for (const answer of given) void Promise.resolve(answer).then(() => answered++)
    for (let turn = 1; turn <= 3; turn++) {
      nextTurn(state)
      await Promise.all(given.slice(0, turn))
      expect(answered).toBe(turn)
    }
  })

  it('go to a worker if too many wait, or take long, or when it closes', async () => {
    const { inline } = await lateInTurn()
    const given = Array.from({ length: MAX_WAITING }, () => inline.answer(callOf('echo', 'aa')))

    expect(inline.answer(callOf('echo', 'bb'))).toBeNull()
    await inline.close()
    expect(await Promise.all(given)).toEqual(given.map(() => null))
  })
})
