// Constructors for the rows of the families' tables.
import type { FamilyAnswer, FamilyCommand, FamilyFlag } from './family'

/** `name`, or `name VALUE` for a flag that takes a value. */
type FlagWords = string

/** A flag that is an option of ours under the same name. */
export function same(words: FlagWords): FamilyFlag {
  return row(words, { kind: 'same' })
}

/** A flag that is called `flag` here, with the same values. */
export function renamed(words: FlagWords, flag: string): FamilyFlag {
  return row(words, { kind: 'renamed', flag })
}

/** A flag without effect; with `only`, any other value is an error. */
export function accepted(words: FlagWords, because: string, only?: readonly string[]): FamilyFlag {
  return row(words, { kind: 'accepted', because, ...(only === undefined ? {} : { only }) })
}

/** A rejected flag, with what to use instead. */
export function refused(words: FlagWords, instead: string): FamilyFlag {
  return row(words, { kind: 'refused', instead })
}

/** Several flags with the same answer. */
export function all(words: readonly FlagWords[], answer: (words: FlagWords) => FamilyFlag): readonly FamilyFlag[] {
  return words.map(answer)
}

/** A command that exists here under the same name. */
export function sameCommand(word: string): FamilyCommand {
  return { word, answer: { kind: 'same' } }
}

/** A command that doesn't exist here, with what to use instead. */
export function refusedCommand(word: string, instead: string): FamilyCommand {
  return { word, answer: { kind: 'refused', instead } }
}

function row(words: FlagWords, answer: FamilyAnswer): FamilyFlag {
  const [flag = '', value] = words.split(' ')
  return { flag, takesValue: value !== undefined, answer }
}
