// The vocabulary of a program family, and how each of its words is handled here.
import type { CommandName } from '../schema'

/** The three program families. */
type FamilyName = 'node' | 'signer' | 'miner'

/** How a word is handled. */
export type FamilyAnswer =
  /** An option or a command of ours has this very name, or this word as an alias. */
  | { readonly kind: 'same' }
  /** Accepted as our option of another name, with the same values. */
  | { readonly kind: 'renamed'; readonly flag: string }
  /** Accepted with a notice and ignored. `because` completes "--flag is accepted without effect: ...". */
  | { readonly kind: 'accepted'; readonly because: string; readonly only?: readonly string[] }
  /** Rejected. `instead` completes "--flag is not supported: ...". */
  | { readonly kind: 'refused'; readonly instead: string }

/** A family's flag and its answer. */
export interface FamilyFlag {
  /** Without dashes; one letter stands for a short flag. */
  readonly flag: string
  readonly takesValue: boolean
  readonly answer: FamilyAnswer
}

/** A family's command and its answer. */
export interface FamilyCommand {
  /** One word, or two: `db get`. */
  readonly word: string
  readonly answer: Extract<FamilyAnswer, { readonly kind: 'same' | 'refused' }>
}

/** One program family and its vocabulary. */
export interface Family {
  readonly name: FamilyName
  /** Programs that use these words. */
  readonly programs: string
  /** Our command that replaces them. */
  readonly command: CommandName
  readonly flags: readonly FamilyFlag[]
  readonly commands: readonly FamilyCommand[]
}
