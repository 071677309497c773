import { expect, it } from 'vitest'
import { parseAmount } from './amount'

it.each([
  ['1.5LAX', 1_500_000_000_000_000_000n],
  ['1.5 lax', 1_500_000_000_000_000_000n],
  ['0.000000000000000001LAX', 1n],
  ['30gwei', 30_000_000_000n],
  ['0.5gwei', 500_000_000n],
  ['7wei', 7n],
])('%s is %s wei', (text, wei) => {
  expect(parseAmount(text)).toBe(wei)
})

it.each([
  ...[
    '',
    '1',
    '1.5',
    'LAX',
    '0LAX',
    '0.0LAX',
    '-1LAX',
    '+1LAX',
    '1,5LAX',
    '1.000,5LAX',
    "1'000LAX",
    '1_000LAX',
    '1 000LAX',
  ],
  ...[
    '1e3wei',
    '0x10wei',
    '.5LAX',
    '1.LAX',
    '1..5LAX',
    '01LAX',
    '1  LAX',
    ' 1LAX',
    '1LAX ',
    '1LAX\n',
    '1mLAX',
    '1ETH',
    '1Wei',
    '1GWEI',
  ],
  ...[
    '0.5wei',
    '1.0000000001gwei',
    '1.0000000000000000001LAX',
    '\u0661LAX',
    '1\uff0e5LAX',
    '1\u00a0LAX',
    '1\u202eLAX',
    'NaNLAX',
    'InfinityLAX',
  ],
  `${'9'.repeat(31)}LAX`,
])('%j has no reading, or more than one', (text) => {
  expect(parseAmount(text)).toBeNull()
})
