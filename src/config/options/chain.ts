// Options of the chain database and of block import: for every command that opens a chain.
import { GC_MODES, option, section } from '../schema'
import { choice, flag, integer } from '../values/value-types'

export const chainSection = section({
  name: 'chain',
  title: 'Chain',
  commands: ['run', 'node', 'init', 'import', 'export', 'db'],
  options: {
    gcMode: option({
      flag: 'gcmode',
      type: choice(GC_MODES),
      default: () => 'full',
      help: 'How many old states to keep: full = recent blocks, archive = all.',
      since: '0.1.0',
      applies: 'service',
    }),
    history: option({
      flag: 'history.state',
      type: integer(0, Number.MAX_SAFE_INTEGER, 'BLOCKS'),
      default: () => 0,
      help: 'Recent blocks whose accounts and slots a full node can look up, at least 8192. 0 = all.',
      since: '0.1.0',
      applies: 'service',
    }),
    fakePow: option({
      flag: 'fakepow',
      type: flag(),
      default: () => false,
      help: 'Accept blocks without checking their proof of work. Switches peers off.',
      since: '0.1.0',
      applies: 'service',
      danger: 'Anyone can make such blocks: for imports and tests only, refused on main and test.',
      notInFile: true,
    }),
  },
})
