// Everything about options in Russian, as one file to load.
import type { OptionLanguage } from '../../option-text'
import { russianExpected } from './option-expected'
import { russianMinerOptions } from './option-miner'
import { russianNodeOptions } from './option-node'
import { russianProgramOptions } from './option-program'

export const russianOptionWords: OptionLanguage = {
  texts: { ...russianProgramOptions, ...russianNodeOptions, ...russianMinerOptions },
  expected: russianExpected,
}
