// No padding, spelling, ordering, nesting or unknown wrapper lowers the severity of a known danger.
import { describe, expect, it } from 'vitest'
import { toHex } from '../../../src/base/hex'
import { byDepth } from '../../depth'
import { callDangers, typedDangers } from './dangers'
import { Dice, mutateCall, mutateDocument } from './mutations'
import { checkSignable, rankOf, rankOfCall, rankOfDocument } from './severity'

/** Per danger. */
const MUTATIONS = byDepth(400, 10_000)
const SIGNABLE_SAMPLE = 100
const SEED = 20_261_122

describe('a dangerous call', () => {
  it.each(callDangers.map((danger, index) => ({ ...danger, seed: SEED + index })))(
    'keeps its severity in other spellings: $severity $title',
    (danger) => {
      const dice = new Dice(danger.seed)
      const wanted = rankOf(danger.severity)
      const lowered: string[] = []
      for (let i = 0; i < MUTATIONS; i++) {
        const { data, how } = mutateCall(danger, dice)
        if (rankOfCall(data) < wanted) lowered.push(`${how.join(', ')}: ${toHex(data)}`)
      }
      expect(lowered.slice(0, 3)).toEqual([])
    },
  )
})

describe('a dangerous document', () => {
  it.each(typedDangers.map((danger, index) => ({ ...danger, seed: SEED + index })))(
    'keeps its severity in other spellings: $severity $title',
    (danger) => {
      const dice = new Dice(danger.seed)
      const wanted = rankOf(danger.severity)
      const lowered: string[] = []
      for (let i = 0; i < MUTATIONS; i++) {
        const document = mutateDocument(danger, dice)
        // Hashing takes most of the time: a sample shows that such documents can be signed.
        if (i % SIGNABLE_SAMPLE === 0) checkSignable(document)
        if (rankOfDocument(document) < wanted) lowered.push(JSON.stringify(document))
      }
      expect(lowered.slice(0, 3)).toEqual([])
    },
  )
})
