// Amounts as people type them in the console, and numbers as JSON-RPC has them.

import { toQuantity } from '../../base/quantity'
import { formatDecimal } from '../../base/units'

const DECIMALS: Readonly<Record<string, number>> = { wei: 0, kwei: 3, mwei: 6, gwei: 9, lax: 18, ether: 18 }

/** An integer in any notation: number, bigint, `0x` hex or decimal text. @throws Error for anything else */
export function wholeNumber(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^(0x[0-9a-fA-F]+|-?\d+)$/.test(value)) return BigInt(value)
  throw new Error(`${String(value)} is not a whole number; write large ones with n at the end, or as text`)
}

/** Decimal text of an amount in `unit`. @param wei as for `wholeNumber` @throws Error */
export function fromWei(wei: unknown, unit: unknown = 'lax'): string {
  return formatDecimal(wholeNumber(wei), decimalsOf(unit))
}

/** Wei of a decimal amount in `unit`. @throws Error, also for more digits than the unit has */
export function toWei(amount: unknown, unit: unknown = 'lax'): bigint {
  const decimals = decimalsOf(unit)
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount))
  if (match === null) throw new Error(`${String(amount)} is not a decimal amount`)
  const [, sign = '', whole = '', fraction = ''] = match
  if (fraction.length > decimals)
    throw new Error(`${String(amount)} has more than ${decimals} digits after the decimal point`)
  const wei = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign === '' ? wei : -wei
}

/** @throws Error */
function decimalsOf(unit: unknown): number {
  const name = String(unit).toLowerCase()
  const decimals = typeof unit === 'string' && Object.hasOwn(DECIMALS, name) ? DECIMALS[name] : undefined
  if (decimals !== undefined) return decimals
  throw new Error(`${String(unit)} is not a unit; accepted: ${Object.keys(DECIMALS).join(', ')}`)
}

/** `0x` hex without leading zeros. @throws Error for a negative number */
export function quantityOf(value: number | bigint): string {
  return toQuantity(wholeNumber(value))
}

/** Members that hold an amount or total difficulty: always a bigint, so that they can be added safely. */
const AMOUNTS: ReadonlySet<string> = new Set(['value', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'balance'])
const NUMBERS: ReadonlySet<string> = new Set(
  (
    'number blockNumber gas gasLimit gasUsed cumulativeGasUsed nonce transactionIndex logIndex timestamp size ' +
    'difficulty totalDifficulty status type chainId startingBlock currentBlock highestBlock pending queued ' +
    'epochStartTime oldestBlock'
  ).split(' '),
)

/** A result with its quantities as numbers: a bigint when it is an amount or too large for a number. */
export function readable(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return quantity(value, key)
  if (Array.isArray(value)) return value.map((item) => readable(item, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, readable(item, name)]))
}

/** A bare result: an amount, or a number. */
export function readableNumber(value: unknown, isAmount: boolean): unknown {
  return readable(value, isAmount ? 'value' : 'number')
}

function quantity(text: string, key: string): string | number | bigint {
  // A header's nonce is eight bytes, not a quantity.
  if (!/^0x(0|[1-9a-f][0-9a-f]*)$/.test(text)) return text
  if (AMOUNTS.has(key)) return BigInt(text)
  if (!NUMBERS.has(key) || (key === 'nonce' && text.length === 18)) return text
  const number = BigInt(text)
  return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number
}
