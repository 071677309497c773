import { describe, expect, it } from 'vitest'
import { nearest } from './nearest'

const FLAGS = ['http', 'http.port', 'http.addr', 'cpu', 'cpu-threads', 'datadir']

describe('nearest', () => {
  it.each([
    ['htpp', 'http'],
    ['http.prot', 'http.port'],
    ['cpu-thread', 'cpu-threads'],
    ['cputhreads', 'cpu-threads'],
    ['DATADIR', 'datadir'],
    ['data-dir', 'datadir'],
  ])('takes %s for %s', (typed, meant) => {
    expect(nearest(typed, FLAGS)).toBe(meant)
  })

  it('takes the beginning of a word for the word', () => {
    expect(nearest('signer.approval', [...FLAGS, 'signer.approval-timeout'])).toBe('signer.approval-timeout')
  })

  it('guesses nothing for a word that resembles none', () => {
    expect(nearest('moonbeam', FLAGS)).toBeNull()
  })
})
