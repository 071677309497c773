// One case of the gas bench: a block of one transaction that repeats part of a program until it is out of gas. Built
// and started by tools/bench/gas/gas.mjs, one process per case.
import { bytesOfHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { PRACTICE_CONSENSUS } from '../../src/node/consensus/params'
import { EMPTY_ACCOUNT } from '../../src/node/execution/account'
import { applyStateChanges } from '../../src/node/execution/state-changes'
import { openEngine } from '../../src/node/execution/wasm/wasm-engine'
import { MemoryStore, StoreLayer } from '../../src/node/store/store'
import { StateOverlay } from '../../src/node/testing/state-overlay'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { EMPTY_TRIE_ROOT } from '../../src/node/trie/trie'

const HERE = new Uint8Array(20).fill(0xbb)

/**
 * Share of the gas that is run before the measured one: a running node's code is already compiled, like the
 * reference's.
 */
const WARM_SHARE = 10

/** CPU seconds to execute it, once warm. @param program hexadecimal, without 0x */
export async function measure(program: string, gas: number, searchFrom: string): Promise<number> {
  const run = await openCase(searchFrom)
  await run(program, gas / WARM_SHARE)
  return run(program, gas)
}

/** A function that returns the CPU seconds of a block with one call, which runs a program until it is out of gas. */
export async function openCase(searchFrom: string): Promise<(program: string, gas: number) => Promise<number>> {
  const machine = openEngine(PRACTICE_CONSENSUS, searchFrom)
  return async (program, gas) => {
    const { store, parentRoot, wallet } = await stateWith(program)
    const gasLimit = BigInt(gas)
    const header = { number: 1n, timestamp: 1n, coinbase: new Uint8Array(20), difficulty: 1n, gasLimit }
    const context = { state: store, parentRoot, header, ancestorHash: () => new Uint8Array(32) }
    const tx = wallet.sign({ to: HERE, value: 0n, gasLimit })
    const begun = process.cpuUsage()
    const done = await machine.executeBlock(context, [tx])
    const { user, system } = process.cpuUsage(begun)
    if (!done.ok) throw new Error(done.error)
    return (user + system) / 1e6
  }
}

async function stateWith(program: string) {
  const wallet = new TestWallet(1)
  const store = new MemoryStore()
  const overlay = new StateOverlay(store, { keccak256 })
  overlay.setAccount(wallet.address, { ...EMPTY_ACCOUNT, balance: 10n ** 30n })
  overlay.setCode(HERE, bytesOfHex(program))
  const changes = await overlay.finish(EMPTY_TRIE_ROOT)
  const layer = new StoreLayer(store)
  applyStateChanges(layer, { number: 0n, hash: new Uint8Array(32) }, changes)
  await store.write(layer.changes())
  return { store, parentRoot: changes.stateRoot, wallet }
}
