// Everything about options in German, as one file to load.

import type { OptionLanguage } from '../../option-text'
import { germanExpected } from './option-expected'
import { germanMinerOptions } from './option-miner'
import { germanNodeOptions } from './option-node'
import { germanProgramOptions } from './option-program'

export const germanOptionWords: OptionLanguage = {
  texts: { ...germanProgramOptions, ...germanNodeOptions, ...germanMinerOptions },
  expected: germanExpected,
}
