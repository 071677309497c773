// Options of the other rigs that this one watches.
import { rigList } from '../rig-address'
import { option, section } from '../schema'
import { flag, integer, path } from '../value-types'

/** Source: miner.md A1 */
export const rigsSection = section({
  name: 'rigs',
  title: 'Rigs',
  commands: ['run', 'miner'],
  options: {
    list: option({
      flag: 'rig',
      type: rigList(),
      default: () => [],
      defaultText: 'none',
      help: "Another rig to watch through its control port, with that port's token behind #; repeatable.",
      since: '0.3.0',
      applies: 'service',
      danger: 'Other users of this computer can read a command line; prefer --rig-file for tokens.',
    }),
    file: option({
      flag: 'rig-file',
      type: path('file', 'FILE'),
      default: () => null,
      help: 'File with one rig a line, written as for --rig; lines that begin with # are comments.',
      since: '0.3.0',
      applies: 'service',
    }),
    intervalSeconds: option({
      flag: 'rig-interval',
      type: integer(1, 300, 'S'),
      default: () => 5,
      unit: 's',
      help: 'Time between two looks at a rig.',
      since: '0.3.0',
      applies: 'service',
    }),
    monitor: option({
      flag: 'monitor',
      type: flag(),
      default: () => false,
      help: 'Only watch other rigs: no mining, no control.',
      since: '0.3.0',
      applies: 'service',
    }),
  },
})
