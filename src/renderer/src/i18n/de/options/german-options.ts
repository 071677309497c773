// Everything that is said of options in German, as one piece to load.

import type { OptionTexts } from '../../option-text'
import { germanMinerOptions } from './option-miner'
import { germanNodeOptions } from './option-node'
import { germanProgramOptions } from './option-program'

export { germanExpected } from './option-expected'

export const germanOptions: OptionTexts = { ...germanProgramOptions, ...germanNodeOptions, ...germanMinerOptions }
