import { expect, it } from 'vitest'
import { LeakyBucket } from './leaky-bucket'

it('is full at its size until enough has leaked', () => {
  const bucket = new LeakyBucket(3, 0.5)
  bucket.add(2, 10)
  expect(bucket.isFull(10)).toBe(false)

  bucket.add(1, 10)

  expect(bucket.isFull(10)).toBe(true)
  expect(bucket.isFull(11)).toBe(false)
})

it('takes a whole burst again once it was empty, but no more than that', () => {
  const bucket = new LeakyBucket(2, 1)
  bucket.add(2, 0)
  bucket.add(1, 1_000)
  expect(bucket.isFull(1_000)).toBe(false)

  bucket.add(1, 1_000)

  expect(bucket.isFull(1_000)).toBe(true)
})
