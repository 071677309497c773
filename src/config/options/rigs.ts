// Options of the other rigs that this one monitors.

import { option, section } from '../schema'
import { rigList } from '../values/rig-address'
import { flag, integer, path } from '../values/value-types'

export const rigsSection = section({
  name: 'rigs',
  title: 'Rigs',
  commands: ['run', 'miner', 'rigs'],
  options: {
    list: option({
      flag: 'rig',
      type: rigList(),
      default: () => [],
      defaultText: 'none',
      help: 'Rig to monitor through its control port, with its token after # and labels after that (group=cellar); repeatable.',
      since: '0.1.0',
      applies: 'service',
      danger: 'Other users of this computer can read the command line; prefer --rig-file for tokens.',
    }),
    file: option({
      flag: 'rig-file',
      type: path('file', 'FILE'),
      default: () => null,
      help: 'File with one rig per line, as in --rig; lines starting with # are comments.',
      since: '0.1.0',
      applies: 'service',
    }),
    intervalSeconds: option({
      flag: 'rig-interval',
      type: integer(1, 300, 'S'),
      default: () => 5,
      unit: 's',
      help: 'How often to poll each rig.',
      since: '0.1.0',
      applies: 'service',
    }),
    monitor: option({
      flag: 'monitor',
      type: flag(),
      default: () => false,
      help: 'Only monitor other rigs: no mining.',
      since: '0.1.0',
      applies: 'service',
    }),
  },
})
