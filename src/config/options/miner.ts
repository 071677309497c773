// Options of the miner.
import { option, section } from '../schema'
import { flag, integer } from '../value-types'

export const minerSection = section({
  name: 'miner',
  title: 'Miner',
  commands: ['run', 'miner', 'devices'],
  options: {
    cpu: option({
      flag: 'cpu',
      type: flag(),
      default: () => true,
      help: 'Mine with the CPU.',
      since: '0.1.0',
      applies: 'service',
    }),
    cpuThreads: option({
      flag: 'cpu-threads',
      type: integer(1, 256),
      default: () => 1,
      help: 'Threads that the CPU mines with.',
      since: '0.1.0',
      applies: 'service',
    }),
  },
})
