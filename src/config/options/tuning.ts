// Options of tuning: what may be set on mining GPUs, and to what end. Without any of them no GPU setting is changed.

import { option, section } from '../schema'
import { choice, decimal, integer, profileName } from '../values/value-types'

export const tuningSection = section({
  name: 'tuning',
  title: 'Tuning of GPUs',
  commands: ['run', 'miner'],
  options: {
    goal: option({
      flag: 'tune',
      type: choice(['efficiency', 'margin']),
      default: () => null,
      defaultText: 'off',
      help: 'Search power limit and clocks while mining: efficiency = most hashes per joule, margin = most income minus power cost (needs --tune-price and --tune-income).',
      since: '0.1.0',
      applies: 'service',
      danger:
        'Changes how the GPU runs. Its original settings are restored when the program exits, or at the next start.',
    }),
    profile: option({
      flag: 'tune-profile',
      type: profileName(),
      default: () => null,
      defaultText: 'none',
      help: "Apply this profile's settings to each GPU model while the miner runs.",
      since: '0.1.0',
      applies: 'service',
      danger:
        'Changes how the GPU runs. Its original settings are restored when the program exits, or at the next start.',
    }),
    price: option({
      flag: 'tune-price',
      type: decimal(0, 1_000, 'PER_KWH'),
      default: () => null,
      defaultText: 'none',
      help: 'Price of a kWh, for --tune margin.',
      since: '0.1.0',
      applies: 'service',
    }),
    income: option({
      flag: 'tune-income',
      type: decimal(0, 1_000_000, 'PER_MHS'),
      default: () => null,
      defaultText: 'none',
      help: 'What one MH/s earns a day in the same money, for --tune margin.',
      since: '0.1.0',
      applies: 'service',
    }),
    temperature: option({
      flag: 'tune-temperature',
      type: integer(40, 100, 'CELSIUS'),
      default: () => null,
      defaultText: 'off',
      unit: '°C',
      help: 'Keep devices below this temperature, first with the fan, then with clocks, before --tstop pauses them.',
      since: '0.1.0',
      applies: 'service',
      danger: 'Controls the fan manually. The GPU takes control back when the program exits, or at the next start.',
    }),
  },
})
