// How the rows of the families' words are written down.
import type { FamilyAnswer, FamilyCommand, FamilyFlag } from './family'

/** `name`, or `name VALUE` for a flag that takes a value. */
export type FlagWords = string

/** A flag that our own options know. */
export function same(words: FlagWords): FamilyFlag {
  return row(words, { kind: 'same' })
}

/** A flag that is `flag` here, with the same values. */
export function renamed(words: FlagWords, flag: string): FamilyFlag {
  return row(words, { kind: 'renamed', flag })
}

/** A flag without effect; with `only`, any other value is an error. */
export function accepted(words: FlagWords, because: string, only?: readonly string[]): FamilyFlag {
  return row(words, { kind: 'accepted', because, ...(only === undefined ? {} : { only }) })
}

/** A flag that is not taken, with what to use instead. */
export function refused(words: FlagWords, instead: string): FamilyFlag {
  return row(words, { kind: 'refused', instead })
}

/** Several flags with one answer. */
export function all(words: readonly FlagWords[], answer: (words: FlagWords) => FamilyFlag): readonly FamilyFlag[] {
  return words.map(answer)
}

/** A command of ours. */
export function sameCommand(word: string): FamilyCommand {
  return { word, answer: { kind: 'same' } }
}

/** A command that is not there, with what to use instead. */
export function refusedCommand(word: string, instead: string): FamilyCommand {
  return { word, answer: { kind: 'refused', instead } }
}

function row(words: FlagWords, answer: FamilyAnswer): FamilyFlag {
  const [flag = '', value] = words.split(' ')
  return { flag, takesValue: value !== undefined, answer }
}
