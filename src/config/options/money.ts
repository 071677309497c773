// Options of money: prices, for the cost and the margin of mining. Nothing is converted without them.
import { option, section } from '../schema'
import { alertList } from '../values/alert-sink'
import { quietHours } from '../values/quiet-hours'
import { decimal, integer, shortText } from '../values/value-types'

export const alertsSection = section({
  name: 'alerts',
  title: 'Alerts',
  commands: ['run', 'node', 'miner'],
  options: {
    to: option({
      flag: 'alert',
      type: alertList(),
      default: () => [],
      help: 'Where incidents are reported: https:// (webhook), ntfy://, telegram://, smtps:// or command:/FILE; repeatable.',
      danger:
        'Other users of this computer can read the command line; prefer the config file for tokens and passwords.',
    }),
    quietHours: option({
      flag: 'alert-quiet-hours',
      type: quietHours(),
      help: 'Quiet hours of alerts, local time: only problems are sent.',
    }),
    repeatMinutes: option({
      flag: 'alert-repeat',
      type: integer(0, 10_080, 'MINUTES'),
      default: () => 240,
      unit: 'min',
      help: 'Send an incident again after this long while nobody acknowledges it; 0 = never.',
    }),
    escalateMinutes: option({
      flag: 'alert-escalate',
      type: integer(0, 10_080, 'MINUTES'),
      default: () => 30,
      unit: 'min',
      help: 'Send a problem to every address, those with #escalation too, once nobody acknowledged it for this long; 0 = never.',
    }),
  },
})

export const moneySection = section({
  name: 'money',
  title: 'Money',
  commands: ['run', 'miner'],
  options: {
    laxPrice: option({
      flag: 'lax-price',
      type: decimal(0, 999_999_999, 'PRICE'),
      help: 'Price of one LAX in your currency, for the margin.',
      applies: 'live',
    }),
    powerPrice: option({
      flag: 'power-price',
      type: decimal(0, 1_000_000, 'PER_KWH'),
      defaultText: '--tune-price',
      help: 'Price of a kWh in your currency, for the cost of mining.',
      applies: 'live',
    }),
    currency: option({
      flag: 'currency',
      type: shortText(8, 'CODE'),
      help: 'Code or symbol of the currency of all prices, such as EUR.',
      applies: 'live',
    }),
  },
})
