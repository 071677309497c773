// Everything about options in Spanish, as one file to load.
import type { OptionLanguage } from '../../option-text'
import { spanishExpected } from './option-expected'
import { spanishMinerOptions } from './option-miner'
import { spanishNodeOptions } from './option-node'
import { spanishProgramOptions } from './option-program'

export const spanishOptionWords: OptionLanguage = {
  texts: { ...spanishProgramOptions, ...spanishNodeOptions, ...spanishMinerOptions },
  expected: spanishExpected,
}
