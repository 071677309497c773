import { describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { applyStateChanges } from '../execution/state-changes'
import { stateKeys } from '../store/keys'
import { nodesOf } from '../store/node-list'
import { StoreLayer } from '../store/store'
import { StateOverlay } from '../testing/state-overlay'
import { openTestChain } from '../testing/test-chain'
import { NodeCache } from '../trie/node'
import { packEntries } from '../worker/wire/pending-shapes'
import { BlockStates } from './block-state'

const contract = new Uint8Array(20).fill(0xc0)
const slot = new Uint8Array(32)
const none = new Uint8Array(0)

describe('the pending state', () => {
  it('has none of the storage of a contract that the pending block deletes', async () => {
    const { chain, store, engine, rich } = await openTestChain()
    const overlay = new StateOverlay(store, { keccak256 })
    overlay.setCode(contract, bytesOfHex('0x33ff'))
    overlay.setSlot(contract, slot, Uint8Array.of(7))
    const changes = await overlay.finish(chain.head.header.stateRoot)
    const layer = new StoreLayer(store)
    applyStateChanges(layer, { number: 1n, hash: new Uint8Array(32) }, changes)
    await store.write(layer.changes())
    const head = { ...chain.head, header: { ...chain.head.header, stateRoot: changes.stateRoot } }
    const queue = [{ tx: rich.sign({ to: contract, gasLimit: 100_000n }), sender: rich.address }]
    const header = { number: 1n, timestamp: 1n, coinbase: contract, difficulty: 1n, gasLimit: 30_000_000n }
    const built = await engine.buildBlock(
      {
        state: store,
        parentRoot: changes.stateRoot,
        header: { ...header, coinbase: slot.subarray(12) },
        ancestorHash: () => null,
      },
      { peek: () => queue[0] ?? null, shift: () => void queue.shift(), pop: () => void queue.shift() },
    )
    const states = new BlockStates(
      {
        store,
        head,
        reads: chain.reads,
        keysBehind: (...range) => store.keysBehind(...range),
      },
      {
        keccak256,
        genesis: null,
        nodes: new NodeCache({ maxBytes: 1 << 20 }),
        pending: {
          parentHash: head.hash,
          stateRoot: built.changes.stateRoot,
          number: 1,
          timestamp: 1,
          miner: contract,
          difficulty: 1n,
          totalDifficulty: 1n,
          gasLimit: 1n,
          gasUsed: built.gasUsed,
          epochStartTime: 0,
          extraData: none,
          logsBloom: built.logsBloom,
          txRoot: slot,
          receiptRoot: built.receiptRoot,
          sizeBytes: 0,
          transactionCount: 1,
          fees: 0n,
          transactions: none,
          receipts: none,
          changes: packEntries([
            ...built.changes.flat.map(({ key, after }) => [key, after] as const),
            ...[...nodesOf(built.changes.nodes)].map(([hash, node]) => [stateKeys.node(hash), node] as const),
          ]),
        },
      },
    )
    const { state } = states.find({ kind: 'tag', tag: 'pending' })
    expect(built.receipts.map(({ succeeded }) => succeeded)).toEqual([true])
    expect(state.account(contract)).toBeNull()
    expect(state.slot(contract, slot)).toEqual(new Uint8Array(0))
    expect(states.find({ kind: 'tag', tag: 'latest' }).state.slot(contract, slot)).toEqual(Uint8Array.of(7))
  })
})
