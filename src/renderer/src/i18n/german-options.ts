// Everything that is said of options in German, as one piece to load.
import { germanMinerOptions } from './de-option-miner'
import { germanNodeOptions } from './de-option-node'
import { germanProgramOptions } from './de-option-program'
import type { OptionTexts } from './option-text'

export { germanExpected } from './de-option-expected'

export const germanOptions: OptionTexts = { ...germanProgramOptions, ...germanNodeOptions, ...germanMinerOptions }
