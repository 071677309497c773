import { describe, expect, it } from 'vitest'
import { refusedOnClose } from './approval-queue'

describe('closing the approval window', () => {
  it('refuses the request that it shows, not the oldest', () => {
    expect(refusedOnClose(['a', 'b', 'c'], 'b')).toBe('b')
  })

  it('refuses the oldest while the window has not told what it shows', () => {
    expect(refusedOnClose(['a', 'b'], null)).toBe('a')
  })

  it('refuses nothing unseen when what it shows has come to its end', () => {
    expect(refusedOnClose(['a', 'b'], 'done')).toBeNull()
  })

  it('refuses nothing when nothing waits', () => {
    expect(refusedOnClose([], null)).toBeNull()
  })
})
