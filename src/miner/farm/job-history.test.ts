import { expect, it } from 'vitest'
import { aJob } from '../testing/fake-work-source'
import { JobHistory } from './job-history'

it('knows the nonces that were found last, however many a pool has found of one header', () => {
  const book = new JobHistory({ plan: () => ({ startNonce: 0n, segmentBits: 20 }) })
  const token = book.assign(0, book.begin(aJob(1), 1))?.token ?? 0
  for (let nonce = 0n; nonce <= 65_536n; nonce++) book.takeSolution(token, nonce)

  expect(book.takeSolution(token, 65_536n)).toBeNull()
  expect(book.takeSolution(token, 2n)).toBeNull()
  expect(book.takeSolution(token, 0n)).not.toBeNull()
})
