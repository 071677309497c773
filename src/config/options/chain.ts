// Options of the chain database and of block import: for every command that opens a chain.
import { GC_MODES, option, section } from '../schema'
import { choice, flag } from '../value-types'

export const chainSection = section({
  name: 'chain',
  title: 'Chain',
  commands: ['run', 'node', 'init', 'import', 'export'],
  options: {
    gcMode: option({
      flag: 'gcmode',
      type: choice(GC_MODES),
      default: () => 'full',
      help: 'Old states: full keeps those of the recent blocks, archive keeps all.',
      since: '0.2.0',
      applies: 'service',
    }),
    fakePow: option({
      flag: 'fakepow',
      type: flag(),
      default: () => false,
      help: 'Take blocks whatever their seal is.',
      since: '0.2.0',
      applies: 'service',
      danger: 'Anyone can make such blocks: for imports and tests only, refused on main and test.',
      notInFile: true,
    }),
  },
})
