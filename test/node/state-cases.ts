// The public state tests under Berlin rules, from test/vectors/state, each case run as a block of one transaction.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { minimalBytes } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { encodeRlp } from '../../src/node/codec/rlp'
import { type ConsensusParams, MAIN_CONSENSUS } from '../../src/node/consensus/params'
import { EMPTY_ACCOUNT } from '../../src/node/execution/account'
import type { ExecutionContext, ExecutionEngine } from '../../src/node/execution/engine'
import { applyStateChanges } from '../../src/node/execution/state-changes'
import type { Receipt } from '../../src/node/model/receipt'
import { decodeTransaction } from '../../src/node/model/transaction'
import { MemoryStore, StoreLayer } from '../../src/node/store/store'
import { StateOverlay } from '../../src/node/testing/state-overlay'
import { EMPTY_TRIE_ROOT } from '../../src/node/trie/trie'

interface StateAccount {
  readonly balance: string
  readonly nonce: string
  readonly code: string
  readonly storage: Readonly<Record<string, string>>
}

export interface StateTest {
  readonly file: string
  readonly name: string
  readonly env: Readonly<
    Record<'currentCoinbase' | 'currentDifficulty' | 'currentGasLimit' | 'currentNumber' | 'currentTimestamp', string>
  >
  readonly pre: Readonly<Record<string, StateAccount>>
  readonly post: readonly { readonly hash: string; readonly logs: string; readonly txbytes: string }[]
}

const VECTORS = join(import.meta.dirname, '..', 'vectors', 'state')

/** These tests know nothing of this chain's rewards: blocks pay nothing. */
export const STATE_TEST_PARAMS: ConsensusParams = { ...MAIN_CONSENSUS, chainId: 1n, initialSubsidy: 0n }

export function readStateTests(): readonly StateTest[] {
  const packed = readFileSync(join(VECTORS, 'berlin-state-tests.jsonl.br'))
  const roots = referenceRoots()
  return brotliDecompressSync(packed)
    .toString()
    .trim()
    .split('\n')
    .map((line) => {
      const test = JSON.parse(line) as StateTest
      const known = roots[test.file]
      if (known === undefined) return test
      return { ...test, post: test.post.map((post, index) => ({ ...post, hash: known[index] ?? post.hash })) }
    })
}

/**
 * Of tests that create a contract where an account has only storage, which only a genesis can contain. Later rules
 * refuse that; prlx overwrites the account, with these roots.
 */
function referenceRoots(): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(readFileSync(join(VECTORS, 'reference-roots.json'), 'utf8'))
}

/** The state before; running doesn't change it. */
async function stateBefore(pre: StateTest['pre']) {
  const store = new MemoryStore()
  const overlay = new StateOverlay(store, { keccak256 })
  for (const [name, { balance, nonce, code, storage }] of Object.entries(pre)) {
    const address = bytesOfHex(name)
    overlay.setAccount(address, { ...EMPTY_ACCOUNT, balance: BigInt(balance), nonce: BigInt(nonce) })
    if (code !== '0x') overlay.setCode(address, bytesOfHex(code))
    for (const [slot, value] of Object.entries(storage))
      overlay.setSlot(address, wordOf(slot), minimalBytes(BigInt(value)))
  }
  const changes = await overlay.finish(EMPTY_TRIE_ROOT)
  const layer = new StoreLayer(store)
  applyStateChanges(layer, { number: 0n, hash: new Uint8Array(32) }, changes)
  await store.write(layer.changes())
  return { store, root: changes.stateRoot }
}

/** Runs every case of `test`. @returns what was wrong, one text per case; `cases` counts them */
export async function runStateTest(test: StateTest, engine: ExecutionEngine): Promise<readonly string[]> {
  const { env, pre, post } = test
  const before = await stateBefore(pre)
  const header = {
    number: BigInt(env.currentNumber),
    timestamp: BigInt(env.currentTimestamp),
    coinbase: bytesOfHex(env.currentCoinbase),
    difficulty: BigInt(env.currentDifficulty),
    gasLimit: BigInt(env.currentGasLimit),
  }
  const ancestorHash = (number: bigint): Uint8Array => keccak256(new TextEncoder().encode(`${number}`))
  const context = { state: before.store, parentRoot: before.root, header, ancestorHash }
  const faults: string[] = []
  for (const [index, { hash, logs, txbytes }] of post.entries()) {
    const got = await runCase(engine, context, bytesOfHex(txbytes))
    if (got.root !== hash || got.logs !== logs)
      faults.push(`${test.name} ${index}: root ${got.root} for ${hash}, logs ${got.logs} for ${logs}`)
  }
  return faults
}

async function runCase(engine: ExecutionEngine, context: ExecutionContext, raw: Uint8Array) {
  const decoded = decodeTransaction(raw)
  const done = decoded.ok ? await engine.executeBlock(context, [decoded.value]) : decoded
  if (done.ok) return { root: toHex(done.value.changes.stateRoot), logs: logsHash(done.value.receipts) }
  // A rejected transaction leaves out its block; the tests then touch the coinbase, which deletes it if it is empty.
  const overlay = new StateOverlay(context.state, { keccak256 })
  const coinbase = overlay.account(context.header.coinbase)
  if (coinbase?.nonce === 0n && coinbase.balance === 0n) overlay.setAccount(context.header.coinbase, null)
  const { stateRoot } = await overlay.finish(context.parentRoot)
  return { root: toHex(stateRoot), logs: logsHash([]) }
}

function logsHash(receipts: readonly Receipt[]): string {
  const logs = receipts.flatMap((receipt) => receipt.logs)
  return toHex(keccak256(encodeRlp(logs.map(({ address, topics, data }) => [address, [...topics], data]))))
}

function wordOf(text: string): Uint8Array {
  return bytesOfHex(`0x${text.slice(2).padStart(64, '0')}`)
}
