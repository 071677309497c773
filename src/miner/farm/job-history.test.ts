import { expect, it } from 'vitest'
import { aJob } from '../testing/fake-work-source'
import { JobHistory } from './job-history'

it('knows the nonces found last, however many a pool has found for one header', () => {
  const history = new JobHistory(() => ({ startNonce: 0n, segmentBits: 20 }))
  const token = history.assign(0, history.begin(aJob(1), 1))?.token ?? 0
  for (let nonce = 0n; nonce <= 65_536n; nonce++) history.takeSolution(token, nonce)

  expect(history.takeSolution(token, 65_536n)).toBeNull()
  expect(history.takeSolution(token, 2n)).toBeNull()
  expect(history.takeSolution(token, 0n)).not.toBeNull()
})
