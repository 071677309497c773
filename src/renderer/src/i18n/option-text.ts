// The texts of an option in a language other than English: its name, what it does, what to be careful about.
import type { ExpectedWords } from './option-expected'

export interface OptionText {
  readonly label: string
  readonly help: string
  /** For options that have a danger. */
  readonly danger?: string
}

/** By key, such as `node.httpPort`. */
type OptionTexts = Readonly<Record<string, OptionText>>

/** All texts of a language about options. */
export interface OptionLanguage {
  readonly texts: OptionTexts
  readonly expected: ExpectedWords
}

type Row = readonly [label: string, help: string, danger?: string]

export function optionTexts(rows: Readonly<Record<string, Row>>): OptionTexts {
  return Object.fromEntries(
    Object.entries(rows).map(([key, [label, help, danger]]) => [
      key,
      danger === undefined ? { label, help } : { label, help, danger },
    ]),
  )
}
