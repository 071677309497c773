// What a family of programs calls things, and what becomes of each of its words here.
import type { CommandName } from '../schema'

export type FamilyName = 'node' | 'signer' | 'miner'

/** What becomes of a word. */
export type FamilyAnswer =
  /** An option or a command of ours has this very name, or this word as an alias. */
  | { readonly kind: 'same' }
  /** Taken as our option of another name, with the same values. */
  | { readonly kind: 'renamed'; readonly flag: string }
  /** Taken with one line, and nothing happens. `because` completes "--flag is accepted without effect: ...". */
  | { readonly kind: 'accepted'; readonly because: string; readonly only?: readonly string[] }
  /** Not taken. `instead` completes "--flag is not supported: ...". */
  | { readonly kind: 'refused'; readonly instead: string }

export interface FamilyFlag {
  /** Without dashes; one letter stands for a short flag. */
  readonly flag: string
  readonly takesValue: boolean
  readonly answer: FamilyAnswer
}

export interface FamilyCommand {
  /** One word, or two: `db get`. */
  readonly word: string
  readonly answer: Extract<FamilyAnswer, { readonly kind: 'same' | 'refused' }>
}

export interface Family {
  readonly name: FamilyName
  /** Programs that use these words. */
  readonly programs: string
  /** The command of ours that stands in for them. */
  readonly command: CommandName
  readonly flags: readonly FamilyFlag[]
  readonly commands: readonly FamilyCommand[]
}
