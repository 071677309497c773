// The one place that turns a reading into text. Unknown is an en dash, never a zero; numbers follow the locale.
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../base/time'
import { formatDecimal } from '../../../base/units'

export const UNKNOWN = '–'
/** Between a number and its unit: keeps them on one line. */
const NO_BREAK_SPACE = '\u00a0'

export interface Formatted {
  readonly number: string
  /** Empty when the value has none or is unknown. */
  readonly unit: string
  /** The language writes this unit right after the number, like English `64%`. */
  readonly isJoined?: true
}

/** Kinds of number; the name implies the unit of the input. */
export type NumberKind =
  /** H/s */
  | 'hashrate'
  /** H/s per watt */
  | 'efficiency'
  | 'watts'
  | 'kilowattHours'
  | 'celsius'
  /** 0..100 */
  | 'fan'
  | 'megahertz'
  /** expected hashes */
  | 'difficulty'
  | 'count'
  /** a mean count, often a small part of one: four digits */
  | 'average'
  /** 0..100 */
  | 'percent'
  /** 0..100, whole */
  | 'wholePercent'
  | 'bytes'
  /** seconds */
  | 'duration'

interface FormatterOptions {
  readonly locale: string
  /** `now` and the sentence of an age, such as `{duration} ago`. */
  readonly words: { readonly now: string; readonly ago: (duration: string) => string }
  /** The unit temperatures are shown in; the input is °C. */
  readonly degrees?: 'celsius' | 'fahrenheit'
}

const HASHRATES: Prefixes = { base: 1000, units: ['H/s', 'kH/s', 'MH/s', 'GH/s', 'TH/s'] }
const SI: Prefixes = { base: 1000, units: ['', 'k', 'M', 'G', 'T', 'P', 'E'] }
const IEC: Prefixes = { base: 1024, units: ['B', 'KiB', 'MiB', 'GiB', 'TiB'] }

/** wei from which a gas price is shown in LAX instead of gwei. */
const GWEI_LIMIT = 10n ** 15n
/** Digits of a mean count, and the decimals of a very small one. */
const AVERAGE_DIGITS = 4
const MAX_PLACES = 9
/** Decimals of an amount in a list. */
const LIST_DECIMALS = 6

export type Formatter = ReturnType<typeof createFormatter>

/** A formatter for one language. Pure; everything it returns is plain text. */
export function createFormatter({ locale, words, degrees = 'celsius' }: FormatterOptions) {
  const decimalMark = markOf(locale, 'decimal')
  const digits = cachedDigits(locale)
  const durations = durationWriter(locale)
  const kinds = numberKinds(digits, joinsPercent(locale), durations, degrees)
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const seconds = new Intl.DateTimeFormat(locale, clock)
  const timeOfDay = (ms: number): string => seconds.format(ms)
  const rates = columnRates(digits, decimalMark)
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
  const date = (ms: number): string => days.format(ms)
  const format = (kind: NumberKind, value: number | null | undefined): Formatted => {
    if (!isKnown(kind, value)) return { number: UNKNOWN, unit: '' }
    return kinds[kind](value)
  }
  const text = (kind: NumberKind, value: number | null | undefined): string => joined(format(kind, value))

  return {
    locale,
    format,
    text,
    ...amountFormats(digits, decimalMark),
    ...rates,
    ...axisTicks(format, rates, decimalMark),
    /** The language's own word for a unit of time; other units are the same everywhere. */
    unitName: (unit: string): string => timeWords(locale)[unit] ?? unit,
    /** An amount in a currency that only the user knows: two decimals. */
    money: (value: number): string => digits(2).format(value),
    /** What separates the items of a list. */
    separator: lists.formatToParts(['a', 'b', 'c', 'd'])[1]?.value ?? ', ',
    /** `Hotspot and Memory`. */
    list: (names: readonly string[]): string => lists.format(names),
    /** `now`, or how long ago. */
    age(ageMs: number | null | undefined): string {
      if (ageMs === null || ageMs === undefined || !Number.isFinite(ageMs)) return UNKNOWN
      if (ageMs < 2000) return words.now
      return words.ago(durations(Math.floor(ageMs / 1000)))
    },
    /** ISO 8601 in local time with its offset. */
    instant: localIso,
    /** A date as people write it, local, such as `Nov 22, 2026`. */
    date,
    /** The same with hours and minutes. */
    moment: (ms: number): string => moments.format(ms),
    /** The same with its currency, by code or sign, where the language puts it. */
    price: priceText(locale, digits),
    /** Local time of day with hours, minutes and seconds. */
    timeOfDay,
    ...nearTimes(locale, date),
    /** The same, preceded by the date if it isn't the day of `nowMs`. */
    dayTime(ms: number, nowMs: number): string {
      const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString()
      return isToday ? timeOfDay(ms) : `${date(ms)}, ${timeOfDay(ms)}`
    },
  }
}

function axisTicks(
  format: (kind: NumberKind, value: number) => Formatted,
  { hashratePrefix, tickIn, hashrateUnit }: ReturnType<typeof columnRates>,
  decimalMark: string,
) {
  const short = (kind: NumberKind, value: number): Formatted => shortened(format(kind, value), decimalMark)
  return {
    /** One label: as `text`, without trailing zeros. */
    tick: (kind: NumberKind, value: number): string => joined(short(kind, value)),
    /** All labels of an axis, from the lowest: the last has the unit if all have one, otherwise each. */
    ticks(kind: NumberKind, values: readonly number[]): readonly string[] {
      const prefix = hashratePrefix(values.at(-1) ?? 0)
      const labels = values.map(
        (value): Formatted =>
          kind === 'hashrate' ? { number: tickIn(value, prefix), unit: hashrateUnit(prefix) } : short(kind, value),
      )
      // Nothing is nothing in every unit.
      const units = new Set(labels.flatMap(({ unit }, place) => (values[place] === 0 ? [] : [unit])))
      const isOne = units.size === 1
      return labels.map((label, place) => (isOne && place < labels.length - 1 ? label.number : joined(label)))
    },
  }
}

/** Without trailing zeros. */
function shortened({ number, ...unit }: Formatted, decimalMark: string): Formatted {
  const [whole = '', fraction = ''] = number.split(decimalMark)
  const kept = fraction.replace(/0+$/, '')
  return { number: kept === '' ? whole : `${whole}${decimalMark}${kept}`, ...unit }
}

/** Hashrates of one column or axis, all with one prefix. */
function columnRates(digits: Digits, decimalMark: string) {
  return {
    /** The prefix that suits the largest hashrate of a column, so that the column can be compared. */
    hashratePrefix: (largest: number): number => scale(Math.max(largest, 0), HASHRATES).step,
    hashrateIn(value: number | null, prefix: number): string {
      if (!isKnown('hashrate', value)) return UNKNOWN
      const fixed = roundAt(value / HASHRATES.base ** prefix, prefix)
      // Not zero, but less than the column can show.
      if (fixed.value === 0 && value > 0) return `<${digits(fixed.places).format(10 ** -fixed.places)}`
      return digits(fixed.places).format(fixed.value)
    },
    hashrateUnit: (prefix: number): string => HASHRATES.units[prefix] ?? '',
    /** A round value of an axis with that prefix, without trailing zeros. */
    tickIn(value: number, prefix: number): string {
      return plainTick(value / HASHRATES.base ** prefix, digits, decimalMark)
    },
  }
}

/** `0.5`, `250`: as many decimals as the value has, up to three. */
function plainTick(value: number, digits: Digits, decimalMark: string): string {
  const text = digits(3).format(value)
  return text.includes(decimalMark) ? text.replace(/0+$/, '').replace(new RegExp(`\\${decimalMark}$`), '') : text
}

/** `€1.20`, `1,20\u00a0€`; unknown signs stand where the euro would. */
function priceText(locale: string, digits: Digits): (value: number, currency: string) => string {
  const places = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
  return (value, currency) => {
    if (currency === '') return digits(2).format(value).replace('-', MINUS)
    const sign = currencySign(locale, currency)
    const parts = places.formatToParts(value)
    return parts
      .map(({ type, value: part }) => (type === 'currency' ? sign : type === 'minusSign' ? MINUS : part))
      .join('')
  }
}

const MINUS = '\u2212'

function currencySign(locale: string, currency: string): string {
  if (!/^[A-Za-z]{3}$/.test(currency)) return currency
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency: currency.toUpperCase() }).formatToParts(1)
  return parts.find(({ type }) => type === 'currency')?.value ?? currency
}

/** Days from now in which a weekday is clear. */
const WEEK_DAYS = 6

/** Times as people say them: hours and minutes today, `yesterday 19:26`, `Tuesday 14:00`, then the date. */
function nearTimes(locale: string, date: (ms: number) => string) {
  const clocks = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'long' })
  const short = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric' })
  const days = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const clock = (ms: number): string => clocks.format(ms)
  return {
    /** Hours and minutes. */
    clock,
    /** `Thu 26`, for axes. */
    weekday: (ms: number): string => short.format(ms),
    /** `Nov 19`. */
    day: (ms: number): string => days.format(ms),
    when(ms: number, now: number): string {
      const distance = Math.round((midnight(ms) - midnight(now)) / DAY_MS)
      if (distance === 0) return clock(ms)
      if (Math.abs(distance) === 1) return `${relative.format(distance, 'day')} ${clock(ms)}`
      if (distance > 0 && distance <= WEEK_DAYS) return `${weekdays.format(ms)} ${clock(ms)}`
      return `${distance < 0 && distance >= -WEEK_DAYS ? weekdays.format(ms) : date(ms)} ${clock(ms)}`
    },
  }
}

function midnight(ms: number): number {
  const day = new Date(ms)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime()
}

function numberKinds(
  digits: Digits,
  isPercentJoined: boolean,
  durations: (seconds: number) => string,
  degrees: 'celsius' | 'fahrenheit',
): Record<NumberKind, (value: number) => Formatted> {
  const plain = (value: number, places: number, unit: string): Formatted => ({
    number: digits(places).format(roundDecimal(value, places)),
    unit,
  })
  const percent = (value: number, places: number): Formatted => ({
    ...plain(value, places, '%'),
    ...(isPercentJoined ? { isJoined: true } : {}),
  })

  return {
    hashrate: (value) => scaled(digits, value, HASHRATES),
    efficiency: (value) => {
      if (roundDecimal(value, 0) < 1000) return plain(value, roundDecimal(value, 1) >= 100 ? 0 : 1, 'H/W')
      const kilo = value / 1000
      if (roundDecimal(kilo, 0) >= 1000) return plain(value / 1e6, 2, 'MH/W')
      return plain(kilo, roundDecimal(kilo, 1) >= 100 ? 0 : 1, 'kH/W')
    },
    watts: (value) => {
      if (value >= 10_000) return plain(value / 1000, 2, 'kW')
      return plain(value, roundDecimal(value, 1) >= 100 ? 0 : 1, 'W')
    },
    kilowattHours: (value) => plain(value, 2, 'kWh'),
    celsius: (value) => (degrees === 'celsius' ? plain(value, 0, '°C') : plain((value * 9) / 5 + 32, 0, '°F')),
    fan: (value) => percent(value, 0),
    megahertz: (value) => plain(value, 0, 'MHz'),
    difficulty: (value) => scaled(digits, value, SI),
    count: (value) => plain(value, 0, ''),
    average: (value) => plain(value, averagePlaces(value), ''),
    percent: (value) => percent(value, Math.abs(roundDecimal(value, 1)) < 10 ? 1 : 0),
    wholePercent: (value) => percent(value, 0),
    bytes: (value) => scaled(digits, value, IEC),
    duration: (value) => ({ number: durations(value), unit: '' }),
  }
}

/** Decimals that leave a value four digits. */
function averagePlaces(value: number): number {
  if (value <= 0) return 0
  return Math.min(MAX_PLACES, Math.max(0, AVERAGE_DIGITS - 1 - Math.floor(Math.log10(value))))
}

/** Amounts of the coin, from whole wei only. */
function amountFormats(digits: Digits, decimalMark: string) {
  const wholePart = (text: string): string => {
    const [whole = '0', fraction] = text.split('.')
    const grouped = digits(0).format(BigInt(whole))
    return fraction === undefined ? grouped : `${grouped}${decimalMark}${fraction}`
  }

  return {
    /** For lists: up to 6 decimals, truncated towards zero and marked if truncated. */
    lax(wei: bigint | null): string {
      if (wei === null || wei < 0n) return UNKNOWN
      const [whole = '0', fraction = ''] = formatDecimal(wei).split('.')
      const kept = fraction.slice(0, LIST_DECIMALS).replace(/0+$/, '')
      const isCut = fraction.length > LIST_DECIMALS
      if (isCut && whole === '0' && kept === '') return joined({ number: `<0${decimalMark}000001`, unit: 'LAX' })
      const shown = wholePart(kept === '' ? whole : `${whole}.${kept}`)
      return joined({ number: isCut ? `${shown}…` : shown, unit: 'LAX' })
    },
    /** For figures: two decimals, three below a tenth, none from a thousand on. @param places instead of these */
    laxRound(wei: bigint): Formatted {
      const value = Number(formatDecimal(wei))
      const shown = value >= 1000 || value === 0 ? 0 : value >= 0.1 ? 2 : 3
      return { number: digits(shown).format(value), unit: 'LAX' }
    },
    /** A number under a chart: whole from a hundred LAX on. */
    laxShort(wei: bigint): string {
      const value = Number(formatDecimal(wei))
      return digits(value >= 100 || value === 0 ? 0 : value >= 0.1 ? 2 : 3).format(value)
    },
    /** What was lost, in a sum and in its rows alike: to the thousandth of a LAX below one. */
    laxLost(wei: bigint): Formatted {
      const value = Number(formatDecimal(wei))
      return { number: digits(value < 1 ? 3 : value < 1000 ? 2 : 0).format(value), unit: 'LAX' }
    },
    /** For approvals and details: every digit. */
    laxExact(wei: bigint | null): string {
      if (wei === null || wei < 0n) return UNKNOWN
      return joined({ number: wholePart(formatDecimal(wei)), unit: 'LAX' })
    },
    /** Of a token: every digit, without a unit. */
    tokenExact(units: bigint, decimals: number): string {
      return wholePart(formatDecimal(units, decimals))
    },
    /** Of a whole number of any size, such as units of a token whose decimals aren't known. @param whole decimal; anything else stays as it is */
    everyDigit(whole: string): string {
      return /^\d+$/.test(whole) ? digits(0).format(BigInt(whole)) : whole
    },
    /** Exact, in gwei below 10^15 wei, above in LAX. */
    gasPrice(wei: bigint | null): string {
      if (wei === null || wei < 0n) return UNKNOWN
      if (wei >= GWEI_LIMIT) return joined({ number: wholePart(formatDecimal(wei)), unit: 'LAX' })
      return joined({ number: wholePart(formatDecimal(wei, 9)), unit: 'gwei' })
    },
  }
}

/** Days, hours, minutes and seconds as the language abbreviates them; the others write the international signs. */
const TIME_UNITS: Readonly<Record<string, readonly [string, string, string, string]>> = {
  ru: ['д', 'ч', 'мин', 'с'],
  zh: ['天', '小时', '分钟', '秒'],
}
const INTERNATIONAL_UNITS = ['d', 'h', 'min', 's'] as const

function timeUnits(locale: string) {
  return TIME_UNITS[locale.slice(0, 2)] ?? INTERNATIONAL_UNITS
}

function timeWords(locale: string): Readonly<Record<string, string>> {
  const [, , minute, second] = timeUnits(locale)
  return { s: second, min: minute, minutes: minute }
}

/** Two largest units; seconds only below an hour. */
function durationWriter(locale: string): (seconds: number) => string {
  const language = locale.slice(0, 2)
  const [day, hour, minute, second] = timeUnits(locale)
  const space = language === 'zh' ? '' : NO_BREAK_SPACE
  return (seconds) => {
    const whole = Math.max(0, Math.floor(seconds))
    const units: readonly (readonly [string, number])[] = [
      [day, Math.floor(whole / 86_400)],
      [hour, Math.floor(whole / 3600) % 24],
      [minute, Math.floor(whole / 60) % 60],
      [second, whole % 60],
    ]
    const first = units.findIndex(([, count]) => count > 0)
    if (first === -1) return `0${space}${second}`
    return units
      .slice(first, first + 2)
      .filter(([, count]) => count > 0)
      .map(([unit, count]) => `${count}${space}${unit}`)
      .join(language === 'zh' ? '' : ' ')
  }
}

/** Only temperatures may be negative. */
function isKnown(kind: NumberKind, value: number | null | undefined): value is number {
  if (value === null || value === undefined || !Number.isFinite(value)) return false
  return value >= 0 || kind === 'celsius'
}

function joined(formatted: Formatted): string {
  return `${formatted.number}${unitText(formatted)}`
}

/** What follows the number: the unit, after a space that doesn't break where the language has one. */
export function unitText({ unit, isJoined }: Omit<Formatted, 'number'>): string {
  return unit === '' || isJoined ? unit : `${NO_BREAK_SPACE}${unit}`
}

/** English writes "64%", German "64\u00a0%". */
function joinsPercent(locale: string): boolean {
  return /\d%/.test(new Intl.NumberFormat(locale, { style: 'percent' }).format(0.64))
}

type Digits = (places: number) => Intl.NumberFormat

function cachedDigits(locale: string): Digits {
  const formats = new Map<number, Intl.NumberFormat>()
  return (places) => {
    const known = formats.get(places)
    if (known !== undefined) return known
    const made = new Intl.NumberFormat(locale, { minimumFractionDigits: places, maximumFractionDigits: places })
    formats.set(places, made)
    return made
  }
}

function scaled(digits: Digits, value: number, prefixes: Prefixes): Formatted {
  const { value: shown, places, step } = scale(value, prefixes)
  return { number: digits(places).format(shown), unit: prefixes.units[step] ?? '' }
}

function markOf(locale: string, type: 'decimal'): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  return parts.find((part) => part.type === type)?.value ?? '.'
}

function localIso(ms: number): string {
  const date = new Date(ms)
  const offset = -date.getTimezoneOffset()
  const two = (value: number): string => String(Math.abs(value)).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(offset / 60))}:${two(offset % 60)}`
  return `${day}T${time}${zone}`
}

/** `value` to `places` decimals, half away from zero, based on its shortest decimal text. */
function roundDecimal(value: number, places: number): number {
  const text = String(Math.abs(value))
  if (text.includes('e')) return Math.abs(value) < 1 ? 0 : value
  const rounded = Number(`${Math.round(Number(`${text}e${places}`))}e-${places}`)
  return value < 0 ? -rounded : rounded
}

interface Scaled {
  readonly value: number
  readonly places: number
  /** Index into the list of prefixes. */
  readonly step: number
}

interface Prefixes {
  /** 1000 for SI, 1024 for IEC. */
  readonly base: number
  /** From the bare one up. */
  readonly units: readonly string[]
}

/** Picks prefix and decimals: 2 below 100, 1 above; the next prefix when rounding reaches the base. */
function scale(value: number, { base, units }: Prefixes): Scaled {
  let step = 0
  let scaled = value
  while (step < units.length - 1 && scaled >= base) {
    scaled /= base
    step += 1
  }
  const rounded = roundAt(scaled, step)
  if (rounded.value >= base && step < units.length - 1) return roundAt(scaled / base, step + 1)
  return rounded
}

function roundAt(value: number, step: number): Scaled {
  if (step === 0) return { value: roundDecimal(value, 0), places: 0, step }
  const fine = roundDecimal(value, 2)
  if (fine < 100) return { value: fine, places: 2, step }
  return { value: roundDecimal(value, 1), places: 1, step }
}

/** Formatted without its sign: milliseconds below a second, seconds with a decimal below a minute. */
export function milliseconds(format: Formatter, ms: number): string {
  const size = Math.abs(ms)
  if (size < SECOND_MS) return `${format.text('count', Math.round(size))}${NO_BREAK_SPACE}ms`
  if (size >= MINUTE_MS) return format.text('duration', size / SECOND_MS)
  const tenths = new Intl.NumberFormat(format.locale, { maximumFractionDigits: 1 })
  return `${tenths.format(size / SECOND_MS)}${NO_BREAK_SPACE}s`
}
