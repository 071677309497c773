import { describe, expect, it } from 'vitest'
import { encodedList, encodeRlp, type RlpItem, type RlpSlice, rlpSlice } from '../../codec/rlp'
import { decodeBlock } from '../../model/block'
import { encodeHeader } from '../../model/header'
import { plainHeader } from '../../testing/test-header'
import { bodyOf } from './fetch'

const LEGACY: RlpItem = Array.from({ length: 9 }, (_, place) => (place === 3 ? new Uint8Array(20) : Uint8Array.of(1)))
const WRAPPED = encodeRlp(LEGACY)

function sliceOf(item: RlpItem): RlpSlice {
  const slice = rlpSlice(encodeRlp(item))
  if (!slice.ok) throw new Error(slice.error)
  return slice.value
}

describe('a legacy transaction encoded as a byte string', () => {
  // Its root and hash are the real block's, and prlx drops any peer that relays it.
  it('is not a body', () => {
    expect(() => bodyOf(sliceOf([[LEGACY]]))).not.toThrow()
    expect(() => bodyOf(sliceOf([[WRAPPED]]))).toThrow(/as a list/)
  })

  it('is not a block', () => {
    const blockOf = (tx: RlpItem): Uint8Array => encodedList([encodeHeader(plainHeader()), encodeRlp([tx])])

    expect(decodeBlock(blockOf(LEGACY)).ok).toBe(true)
    expect(decodeBlock(blockOf(WRAPPED)).ok).toBe(false)
  })
})
