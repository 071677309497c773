import { expect, it } from 'vitest'
import { epochRows } from '../../test/xhash/vectors'
import { toBareHex } from '../base/hex'
import { nextSeedHash, seedHash } from './seed'

const seedRows = epochRows.filter(([epoch]) => epoch <= 512).map(([epoch, , , seed]) => ({ epoch, seed }))

it('names every epoch up to 512 as the vectors do', () => {
  const seeds = seedRows.map(({ epoch }) => ({ epoch, seed: toBareHex(seedHash(epoch)) }))

  expect(seeds).toEqual(seedRows)
})

it('goes from one seed hash to the next', () => {
  expect(nextSeedHash(seedHash(4))).toEqual(seedHash(5))
})
