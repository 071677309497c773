import { expect, it } from 'vitest'
import { stateKeys } from '../../store/keys'
import { openTestChain } from '../../testing/test-chain'
import { REBUILD_MARK } from '../rebuild-state'
import { DamageList } from './damage'
import { verifyState } from './verify-blocks'

it.each([
  ['its trie nodes were being rebuilt when the program ended; the next start does that again', [REBUILD_MARK]],
  [/^missing trie node 0x/, []],
] as const)('says of missing nodes: %s', async (reason, marks) => {
  const { chain, store } = await openTestChain()
  const { header } = chain.head
  await store.write([...marks, [stateKeys.node(header.stateRoot), null]])
  const damage = new DamageList()
  await verifyState(store, header, damage, { onProgress: () => undefined, signal: new AbortController().signal })

  const expected = typeof reason === 'string' ? reason : expect.stringMatching(reason)
  expect(damage.named).toEqual([{ kind: 'nodes', where: 'state of block 0', reason: expected }])
})
