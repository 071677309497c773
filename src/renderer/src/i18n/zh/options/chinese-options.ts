// Everything about options in Chinese, as one file to load.
import type { OptionLanguage } from '../../option-text'
import { chineseExpected } from './option-expected'
import { chineseMinerOptions } from './option-miner'
import { chineseNodeOptions } from './option-node'
import { chineseProgramOptions } from './option-program'

export const chineseOptionWords: OptionLanguage = {
  texts: { ...chineseProgramOptions, ...chineseNodeOptions, ...chineseMinerOptions },
  expected: chineseExpected,
}
