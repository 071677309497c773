// Everything about options in Brazilian Portuguese, as one file to load.
import type { OptionLanguage } from '../../option-text'
import { portugueseExpected } from './option-expected'
import { portugueseMinerOptions } from './option-miner'
import { portugueseNodeOptions } from './option-node'
import { portugueseProgramOptions } from './option-program'

export const portugueseOptionWords: OptionLanguage = {
  texts: { ...portugueseProgramOptions, ...portugueseNodeOptions, ...portugueseMinerOptions },
  expected: portugueseExpected,
}
