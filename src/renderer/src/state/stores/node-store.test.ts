import { describe, expect, it } from 'vitest'
import { aBlock, aHead } from '../../testing/scripted-values'
import { syncStateOf } from './node-store'

const NOW = 1_700_000_000_000

describe('a node without a peer layer', () => {
  const alone = aHead({ peers: null, head: { ...aBlock(42), time: NOW - 1_000 } })

  it('is synced on a network of its own, and not confirmed where others mine', () => {
    expect(syncStateOf({ head: alone, sync: null, peers: null }, NOW, false)).toBe('synced')
    expect(syncStateOf({ head: alone, sync: null, peers: null }, NOW, true)).toBe('unconfirmed')
  })

  it('is not confirmed before its first block either, whose date says nothing', () => {
    const fresh = aHead({ peers: null, head: { ...aBlock(0), time: NOW - 395 * 86_400_000 } })

    expect(syncStateOf({ head: fresh, sync: null, peers: null }, NOW, true)).toBe('unconfirmed')
  })
})
