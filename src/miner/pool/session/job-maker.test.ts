import { expect, it } from 'vitest'
import { toBareHex, toHex } from '../../../base/hex'
import { seedHash } from '../../../xhash/seed'
import { hexHeight, type JobFields, JobMaker, parseExtranonce, SeedEpochs } from './job-maker'

const maker = new JobMaker(new SeedEpochs(() => Promise.resolve()), seedHash)
const fields: JobFields = {
  jobId: 'a1',
  sealHash: `0x${'67'.repeat(32)}`,
  seed: { hash: toHex(seedHash(1)) },
  target: new Uint8Array(32).fill(4),
  height: 721,
  extranonce: null,
  cleanJobs: true,
}

it('takes the epoch from the seed', async () => {
  expect(await maker.make(fields)).toMatchObject({ job: { epoch: 1, height: 721 }, warning: null })
})

it('trusts the seed if the height implies another epoch, and says so', async () => {
  const outcome = await maker.make({ ...fields, height: 5 })

  expect(outcome).toMatchObject({ job: { epoch: 1 }, warning: 'height 5 is of epoch 0, the seed of epoch 1' })
})

it('finds a late epoch, and a seed without prefix', async () => {
  const outcome = await maker.make({ ...fields, seed: { hash: toBareHex(seedHash(1_500)) }, height: null })

  expect(outcome).toMatchObject({ job: { epoch: 1_500 }, warning: null })
})

it("rejects a header that isn't 32 bytes, and an unreadable target", async () => {
  expect(await maker.make({ ...fields, sealHash: `0x${'67'.repeat(31)}` })).toMatchObject({ seed: false })
  expect(await maker.make({ ...fields, target: null })).toMatchObject({ fault: expect.stringContaining('target') })
})

it('rejects a seed of no epoch', async () => {
  expect(await maker.make({ ...fields, seed: { hash: 'dead'.repeat(16) } })).toMatchObject({ seed: true })
  expect(await maker.make({ ...fields, seed: { hash: '0x00' } })).toMatchObject({ seed: true })
})

it('reads heights in hex', () => {
  expect([hexHeight('0x2d1'), hexHeight('2d1'), hexHeight('zz'), hexHeight(7)]).toEqual([721, 721, null, null])
})

it('reads extranonces of whole bytes that leave room for a nonce', () => {
  expect(parseExtranonce('ab12')).toEqual({ bits: 16, prefix: 0xab12n })
  expect(parseExtranonce('')).toBeNull()
  expect(parseExtranonce('abc')).toBeUndefined()
  expect(parseExtranonce('00'.repeat(8))).toBeUndefined()
})
