// When the node counts as synced, and when what it says is current.
import { describe, expect, it } from 'vitest'
import type { SyncView } from './network'
import { isNodeCurrent, type KnownHead, type NodeReadings, syncStateOf } from './sync-state'

const NOW = 1_700_000_000_000
const hashOf = (digit: string) => `0x${digit.repeat(64)}`

const aHead = (change: Partial<KnownHead> = {}): KnownHead => ({
  state: 'running',
  head: { number: 42, hash: hashOf('a'), time: NOW - 1_000 },
  totalDifficulty: '4200',
  peers: 2,
  targetSpacingSeconds: 600,
  ...change,
})
const aSync = (change: Partial<SyncView> = {}): SyncView => ({
  phase: 'idle',
  startingBlock: 0,
  currentBlock: 42,
  highestBlock: 42,
  headersDone: 0,
  bodiesDone: 0,
  blocksPerSecond: null,
  gasPerSecond: null,
  remaining: null,
  peersUsed: 0,
  peer: null,
  takenAt: NOW,
  ...change,
})
const aPeer = (number: number | null, totalDifficulty: string, hash = hashOf('b')) => ({
  head: { hash, number, totalDifficulty },
})
const readings = (change: Partial<NodeReadings> = {}): NodeReadings => ({
  head: aHead(),
  sync: aSync(),
  peers: { peers: [aPeer(42, '4200', hashOf('a'))] },
  ...change,
})
const alone = aHead({ peers: null })
const old = { number: 42, hash: hashOf('a'), time: NOW - 12 * 600_000 }
const noWeight = aHead({ totalDifficulty: null })
const health = {
  aheadNumber: null,
  behindSeconds: 0,
  isBehind: false,
  groups: 3,
  mayBeCutOff: false,
  split: null,
  wrongBlock: null,
}
const behind = { currentBlock: 42, highestBlock: 46 }

it.each<[string, Partial<NodeReadings>, ReturnType<typeof syncStateOf>, boolean]>([
  ['with a peer that has its head', {}, 'synced', true],
  ['that said nothing', { head: null }, 'stopped', false],
  ['that failed', { head: aHead({ state: 'failed' }) }, 'failed', false],
  ['without its first block', { head: aHead({ head: null }) }, 'starting', false],
  ['without peers', { head: aHead({ peers: 0 }) }, 'peers', false],
  ['without a peer layer', { head: alone }, 'unconfirmed', false],
  ['fetching headers', { sync: aSync({ phase: 'headers', ...behind }) }, 'headers', false],
  ['executing blocks', { sync: aSync({ phase: 'importing', ...behind }) }, 'blocks', false],
  ['three blocks behind', { sync: aSync({ phase: 'importing', highestBlock: 45 }) }, 'synced', true],
  ['without a block for twelve spacings', { head: aHead({ head: old }) }, 'stalled', false],
  ['far ahead of all peers', { peers: { peers: [aPeer(38, '3800')] } }, 'unconfirmed', false],
  ['whose sync said nothing', { sync: null }, 'unconfirmed', false],
  ['whose peers and comparison said nothing', { peers: null }, 'unconfirmed', false],
  ['whose peers are counted but not listed', { peers: { peers: [] } }, 'unconfirmed', false],
  [
    'of unknown weight, with a lighter peer',
    { head: noWeight, peers: { peers: [aPeer(38, '1')] } },
    'unconfirmed',
    false,
  ],
  ['that compared itself with peers that aren’t told', { sync: aSync({ health }), peers: null }, 'synced', true],
  ['that found itself behind', { sync: aSync({ health: { ...health, isBehind: true } }) }, 'unconfirmed', false],
  ['with a peer of a longer chain', { peers: { peers: [aPeer(null, '4201')] } }, 'synced', true],
])('a node %s', (_name, change, state, isCurrent) => {
  expect(syncStateOf(readings(change), NOW, true)).toBe(state)
  expect(isNodeCurrent(readings(change), NOW, true)).toBe(isCurrent)
})

describe('a node without a peer layer', () => {
  it('is synced on a network of its own, and current there however old its last block is', () => {
    expect(syncStateOf(readings({ head: alone }), NOW, false)).toBe('synced')
    const stalled = readings({ head: { ...alone, head: old } })
    expect(syncStateOf(stalled, NOW, false)).toBe('stalled')
    expect(isNodeCurrent(stalled, NOW, false)).toBe(true)
  })

  it('is not confirmed before its first block either, whose date says nothing', () => {
    const fresh = { number: 0, hash: hashOf('0'), time: NOW - 395 * 86_400_000 }
    expect(syncStateOf(readings({ head: { ...alone, head: fresh }, peers: null }), NOW, true)).toBe('unconfirmed')
  })
})
