// Options of money: prices, for the cost and the margin of mining. Nothing is converted without them.

import { option, section } from '../schema'
import { decimal, shortText } from '../values/value-types'

export const moneySection = section({
  name: 'money',
  title: 'Money',
  commands: ['run', 'miner'],
  options: {
    laxPrice: option({
      flag: 'lax-price',
      type: decimal(0, 999_999_999, 'PRICE'),
      default: () => null,
      defaultText: 'none',
      help: 'Price of one LAX in your currency, for the margin.',
      since: '0.1.0',
      applies: 'live',
    }),
    powerPrice: option({
      flag: 'power-price',
      type: decimal(0, 1_000_000, 'PER_KWH'),
      default: () => null,
      defaultText: '--tune-price',
      help: 'Price of a kWh in your currency, for the cost of mining.',
      since: '0.1.0',
      applies: 'live',
    }),
    currency: option({
      flag: 'currency',
      type: shortText(8, 'CODE'),
      default: () => null,
      defaultText: 'none',
      help: 'Code or symbol of the currency of all prices, such as EUR.',
      since: '0.1.0',
      applies: 'live',
    }),
  },
})
