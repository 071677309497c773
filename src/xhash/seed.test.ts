import { expect, it } from 'vitest'
import { epochRows } from '../../test/xhash/vectors'
import { toBareHex } from '../base/hex'
import { epochOfSeed, nextSeedHash, seedHash } from './seed'

const seedRows = epochRows.filter(([epoch]) => epoch <= 512).map(([epoch, , , seed]) => ({ epoch, seed }))

it('names every epoch up to 512 as the vectors do', () => {
  const seeds = seedRows.map(({ epoch }) => ({ epoch, seed: toBareHex(seedHash(epoch)) }))

  expect(seeds).toEqual(seedRows)
})

it('finds the epoch of a seed hash', () => {
  expect(epochOfSeed(seedHash(0))).toBe(0)
  expect(epochOfSeed(seedHash(77))).toBe(77)
})

it('finds no epoch for a seed hash past the limit, or of another chain', () => {
  expect(epochOfSeed(seedHash(11), 10)).toBeNull()
  expect(epochOfSeed(new Uint8Array(32).fill(1), 100)).toBeNull()
})

it('goes from one seed hash to the next', () => {
  expect(nextSeedHash(seedHash(4))).toEqual(seedHash(5))
})
