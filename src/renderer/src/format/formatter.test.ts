// Each kind of number, amount and time as the window formats it.
import { describe, expect, it } from 'vitest'
import { visiblePieces } from '../../../base/language/visible-text'
import { groupHex, shortHex, spelledAddress } from './bytes-text'
import { createFormatter, type NumberKind } from './formatter'

const en = createFormatter({ locale: 'en', words: { now: 'now', ago: (duration) => `${duration} ago` } })
const de = createFormatter({ locale: 'de', words: { now: 'jetzt', ago: (duration) => `vor ${duration}` } })
const spaced = (text: string): string => text.replaceAll('\u00a0', ' ')

const cases: readonly (readonly [NumberKind, number | null | undefined, string])[] = [
  ['hashrate', 0, '0 H/s'],
  ['hashrate', 999, '999 H/s'],
  ['hashrate', 999.6, '1.00 kH/s'],
  ['hashrate', 1000, '1.00 kH/s'],
  ['hashrate', 62345678, '62.35 MH/s'],
  ['hashrate', 99995000, '100.0 MH/s'],
  ['hashrate', 999960000, '1.00 GH/s'],
  ['hashrate', 2_500_000_000_000_000, '2,500.0 TH/s'],
  ['hashrate', null, '–'],
  ['hashrate', undefined, '–'],
  ['hashrate', Number.NaN, '–'],
  ['hashrate', -1, '–'],
  ['efficiency', 62345678 / 121, '515 kH/W'],
  ['efficiency', 51_530, '51.5 kH/W'],
  ['efficiency', 99_960, '100 kH/W'],
  ['efficiency', 999_400, '999 kH/W'],
  ['efficiency', 999_600, '1.00 MH/W'],
  ['efficiency', 1_234_567, '1.23 MH/W'],
  ['efficiency', 12.27, '12.3 H/W'],
  ['efficiency', 639.2, '639 H/W'],
  ['efficiency', 999.6, '1.0 kH/W'],
  ['efficiency', null, '–'],
  ['watts', 121.4, '121 W'],
  ['watts', 88.25, '88.3 W'],
  ['watts', 99.96, '100 W'],
  ['watts', 12_340, '12.34 kW'],
  ['kilowattHours', 4.1234, '4.12 kWh'],
  ['celsius', 62.4, '62 °C'],
  ['celsius', 62.5, '63 °C'],
  ['celsius', -4, '-4 °C'],
  ['fan', 64, '64%'],
  ['fan', 0, '0%'],
  ['megahertz', 1410, '1,410 MHz'],
  ['difficulty', 17179869184, '17.18 G'],
  ['difficulty', 65536, '65.54 k'],
  ['difficulty', 12, '12'],
  ['duration', 0, '0 s'],
  ['duration', 59, '59 s'],
  ['duration', 61, '1 min 1 s'],
  ['duration', 3600, '1 h'],
  ['duration', 90061, '1 d 1 h'],
  ['percent', 1.84, '1.8%'],
  ['percent', 97.2, '97%'],
  ['percent', 9.96, '10%'],
  ['wholePercent', 1.8, '2%'],
  ['bytes', 1073741824, '1.00 GiB'],
  ['bytes', 512, '512 B'],
  ['count', 61204, '61,204'],
  ['average', 17280, '17,280'],
  ['average', 864, '864.0'],
  ['average', 0.013449, '0.01345'],
  ['average', 0, '0'],
  ['average', 1e-12, '0.000000000'],
]

describe('numbers', () => {
  it.each(cases)('shows %s of %s as %s', (kind, value, expected) => {
    expect(spaced(en.text(kind, value))).toBe(expected)
  })

  it('puts a non-breaking space between number and unit', () => {
    expect(en.text('watts', 121)).toBe('121\u00a0W')
  })

  it('uses the marks of the locale', () => {
    expect(spaced(de.text('hashrate', 62345678))).toBe('62,35 MH/s')
    expect(spaced(de.text('megahertz', 1410))).toBe('1.410 MHz')
  })

  it('keeps one unit in a column, chosen by its largest value', () => {
    const mega = en.hashratePrefix(62_000_000)
    expect(en.hashrateUnit(mega)).toBe('MH/s')
    expect(en.hashrateIn(900, mega)).toBe('<0.01')
    expect(en.hashrateIn(0, mega)).toBe('0.00')
    expect(en.hashrateIn(62_000_000, mega)).toBe('62.00')
    expect(en.hashrateIn(null, mega)).toBe('–')
  })
})

describe('ticks of an axis', () => {
  it.each([
    ['hashrate', 15_000, '15 kH/s'],
    ['hashrate', 12_500, '12.5 kH/s'],
    ['watts', 50, '50 W'],
    ['megahertz', 7000, '7,000 MHz'],
  ] as const)('labels %s %s as %s', (kind, value, expected) => {
    expect(spaced(en.tick(kind, value))).toBe(expected)
  })

  it('have their common unit once, at the top', () => {
    expect(en.ticks('hashrate', [0, 2000, 4000]).map(spaced)).toEqual(['0', '2', '4 kH/s'])
    expect(en.ticks('hashrate', [0, 500, 1000]).map(spaced)).toEqual(['0', '0.5', '1 kH/s'])
    expect(en.ticks('celsius', [20, 60, 100]).map(spaced)).toEqual(['20', '60', '100 °C'])
    expect(en.ticks('fan', [0, 50, 100]).map(spaced)).toEqual(['0', '50', '100%'])
  })

  it('have each its own where units differ', () => {
    expect(en.ticks('efficiency', [0, 500, 1000]).map(spaced)).toEqual(['0 H/W', '500 H/W', '1 kH/W'])
  })
})

describe('amounts', () => {
  it.each([
    [214_000_000_000_000_000_000n, '214'],
    [999_990_000_000_000_000_000n, '1,000'],
    [49_130_000_000_000_000_000n, '49.13'],
    [0n, '0'],
  ])('write %s wei under a chart as %s', (wei, expected) => {
    expect(en.laxShort(wei)).toBe(expected)
  })

  it.each([
    [1500000000000000000n, '1.5 LAX'],
    [1n, '<0.000001 LAX'],
    [0n, '0 LAX'],
    [999999999999n, '<0.000001 LAX'],
    [1000000000000n, '0.000001 LAX'],
    [1234567890123456789n, '1.234567… LAX'],
    [1500000000000000001n, '1.5… LAX'],
    [1234567n * 10n ** 18n, '1,234,567 LAX'],
  ])('lists %s wei as %s', (wei, expected) => {
    expect(spaced(en.lax(wei))).toBe(expected)
  })

  it.each([
    [1n, '0.000000000000000001 LAX'],
    [12500000000000000001n, '12.500000000000000001 LAX'],
    [
      115792089237316195423570985008687907853269984665640564039457584007913129639935n,
      '115,792,089,237,316,195,423,570,985,008,687,907,853,269,984,665,640,564,039,457.584007913129639935 LAX',
    ],
  ])('shows every digit of %s wei in an approval', (wei, expected) => {
    expect(spaced(en.laxExact(wei))).toBe(expected)
  })

  it.each([
    [1000000000n, '1 gwei'],
    [1n, '0.000000001 gwei'],
    [999999999999999n, '999,999.999999999 gwei'],
    [1000000000000000n, '0.001 LAX'],
  ])('shows a gas price of %s wei as %s', (wei, expected) => {
    expect(spaced(en.gasPrice(wei))).toBe(expected)
  })

  it('shows an unknown amount as a dash', () => {
    expect([en.lax(null), en.laxExact(null), en.gasPrice(null)]).toEqual(['–', '–', '–'])
  })
})

it('groups the smallest units of a token, every digit of them', () => {
  expect(en.everyDigit((2n ** 64n).toString())).toBe('18,446,744,073,709,551,616')
  expect(de.everyDigit('12500000')).toBe('12.500.000')
  expect(en.everyDigit('not a number')).toBe('not a number')
})

describe('ages', () => {
  it.each([
    [0, 'now'],
    [1999, 'now'],
    [2000, '2 s ago'],
    [61_000, '1 min 1 s ago'],
  ])('shows an age of %s ms as %s', (ageMs, expected) => {
    expect(spaced(en.age(ageMs))).toBe(expected)
  })
})

describe('times', () => {
  const noon = new Date(2026, 10, 21, 12, 4, 31).getTime()

  it('are the time of day with seconds, with the date if it was another day', () => {
    expect(en.timeOfDay(noon)).toBe('12:04:31')
    expect(en.dayTime(noon, noon + 3_600_000)).toBe('12:04:31')
    expect(en.dayTime(noon, noon + 86_400_000)).toBe('Nov 21, 2026, 12:04:31')
    expect(en.date(noon)).toBe('Nov 21, 2026')
    expect(en.moment(noon)).toBe('Nov 21, 2026, 12:04')
  })
})

describe('hashes and addresses', () => {
  const address = '0x52908400098527886e0f7030069857d2e4169ee7'

  it('shortens to 6 and 4 digits', () => {
    expect(shortHex(address)).toBe('0x529084…9ee7')
    expect(shortHex('0x1234')).toBe('0x1234')
  })

  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('spells %s with its EIP-55 checksum', (spelled) => {
    expect(spelledAddress(spelled.toLowerCase())).toBe(spelled)
  })

  it("leaves text alone that isn't an address", () => {
    expect(spelledAddress('0x1234')).toBe('0x1234')
  })

  it('groups by 4', () => {
    expect(groupHex('0x1234567890')).toBe('0x1234 5678 90')
  })
})

describe('foreign text', () => {
  it('makes direction and control characters visible', () => {
    const pieces = visiblePieces('pay \u202Eevil\u0000\n', false)

    expect(pieces.map((piece) => piece.text)).toEqual(['pay ', 'U+202E', 'evil', 'U+0000', 'U+000A'])
    expect(pieces.filter((piece) => piece.isMark)).toHaveLength(3)
  })

  it.each(['\u3164', '\u115f', '\u2800', '\ufe0f', '\u034f', '\u{e0061}', '\u200b'])(
    'shows %j, which is drawn as nothing',
    (blank) => {
      expect(visiblePieces(`a${blank}b`, false)).toEqual([
        { text: 'a', isMark: false },
        { text: expect.stringMatching(/^U\+/), isMark: true },
        { text: 'b', isMark: false },
      ])
    },
  )

  it('keeps lines on request', () => {
    expect(visiblePieces('a\nb', true)).toEqual([{ text: 'a\nb', isMark: false }])
  })

  it('shows marks that would pile up over other lines, and leaves those of real words', () => {
    const pieces = visiblePieces(`p${'\u0301\u0489'.repeat(60)}ay`, false)

    expect(pieces.filter(({ isMark }) => isMark)).toHaveLength(116)
    expect(visiblePieces('Tiếng Việt, שָׁלוֹם, ที่นี่, ក្រុម', false)).toHaveLength(1)
  })
})

describe('near times and prices', () => {
  const english = createFormatter({ locale: 'en', words: { now: 'now', ago: (duration) => `${duration} ago` } })
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 30).getTime()

  it.each([
    [26, 9, '09:30'],
    [25, 19, 'yesterday 19:30'],
    [27, 8, 'tomorrow 08:30'],
    [30, 14, 'Monday 14:30'],
    [23, 2, 'Monday 02:30'],
    [2, 1, 'Nov 2, 2026 01:30'],
  ])('say day %i, %i:30 as people do', (day, hour, text) => {
    expect(english.when(at(day, hour), at(26, 10))).toBe(text)
  })

  it.each([
    ['en', 1.5, 'EUR', '€1.50'],
    ['en', -0.234, '€', '\u2212€0.23'],
    ['de', 1234.5, 'EUR', '1.234,50\u00a0€'],
    ['en', 2, '', '2.00'],
    ['en', 2, 'Fr.', 'Fr.2.00'],
  ])('write a price in %s with its currency in place', (locale, value, currency, text) => {
    const { price } = createFormatter({ locale, words: { now: '', ago: (duration) => duration } })
    expect(price(value, currency)).toBe(text)
  })

  it.each([
    [200_010n, '200.01'],
    [150n, '0.15'],
    [20n, '0.020'],
    [18_412_621n, '18,413'],
    [0n, '0'],
  ])('round %i thousandths of a LAX for a figure', (milli, text) => {
    expect(english.laxRound(milli * 10n ** 15n).number).toBe(text)
  })

  it.each([
    [6n, '0.006'],
    [150n, '0.150'],
    [50_000n, '50.00'],
    [1_200_000n, '1,200'],
  ])('write %i thousandths of a LAX that were lost', (milli, text) => {
    expect(english.laxLost(milli * 10n ** 15n).number).toBe(text)
  })

  it('abbreviates units of time as the language does', () => {
    const { text } = createFormatter({ locale: 'zh-CN', words: { now: '', ago: (duration) => duration } })
    expect([text('duration', 11_520), english.text('duration', 11_520)]).toEqual([
      '3小时12分钟',
      '3\u00a0h 12\u00a0min',
    ])
  })
})

it('separates the items of a list as the language does', () => {
  const zh = createFormatter({ locale: 'zh-CN', words: { now: '', ago: (duration) => duration } })
  expect([en, de, zh].map(({ separator }) => separator)).toEqual([', ', ', ', '、'])
})
