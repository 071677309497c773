// What a document of a known pattern would do, in words. This is an interpretation of names that a contract may treat
// differently, so it is marked as one and only made when every part of the pattern is present.
import type { MessageNode } from '../../../../contract/signer'
import { isAddress } from '../../format/bytes-text'
import type { TextKey } from '../../i18n/text'

interface TypedMeaning {
  readonly key: TextKey
  /** Addresses and numbers of the document, by their place in the text. */
  readonly values: Readonly<Record<string, string>>
}

/** Amounts from here up count as unlimited. */
const UNLIMITED = 1n << 128n

interface AmountWriters {
  readonly lax: (wei: bigint) => string
  readonly everyDigit: (units: string) => string
}

/** @param writes amounts of the coin, and smallest units of a token @returns null if it isn't a known pattern */
export function meaningOf(messages: readonly MessageNode[], writes: AmountWriters): TypedMeaning | null {
  const root = messages.find(({ type }) => type === 'primary type')
  if (root === undefined || typeof root.value === 'string') return null
  const members = root.value
  const contract = addressIn(messages.find(({ type }) => type === 'domain')?.value, ['verifyingContract'])
  return (
    permitOf(root.name, members, contract ?? '–', writes) ??
    delegationOf(root.name, members) ??
    orderOf(root.name, members, writes) ??
    safeOf(root.name, members, { wallet: contract, lax: writes.lax })
  )
}

type Members = string | readonly MessageNode[] | undefined

function permitOf(
  name: string,
  members: readonly MessageNode[],
  contract: string,
  { everyDigit }: AmountWriters,
): TypedMeaning | null {
  if (!/^Permit/.test(name)) return null
  const spender = addressIn(members, ['spender', 'operator'])
  if (spender === null) return null
  const details = nested(members, ['details', 'permitted']) ?? members
  const amount = numberIn(details, ['value', 'amount'])
  const token = addressIn(details, ['token']) ?? contract
  const isAll = valueIn(members, ['allowed', 'approved']) === 'true' || (amount !== null && amount >= UNLIMITED)
  if (isAll) return { key: 'ui.meaning.permitAll', values: { spender, token } }
  if (amount === null) return { key: 'ui.meaning.permit', values: { spender, token } }
  return { key: 'ui.meaning.permitAmount', values: { spender, token, amount: everyDigit(amount.toString()) } }
}

function delegationOf(name: string, members: readonly MessageNode[]): TypedMeaning | null {
  if (!/delegat/i.test(name)) return null
  const delegate = addressIn(members, ['delegatee', 'delegate', 'to'])
  return delegate === null ? null : { key: 'ui.meaning.delegation', values: { delegate } }
}

/** A marketplace offer: what is given for what. */
function orderOf(name: string, members: readonly MessageNode[], { everyDigit }: AmountWriters): TypedMeaning | null {
  if (!/order|offer/i.test(name)) return null
  const maker = addressIn(members, ['maker', 'offerer', 'trader', 'signer'])
  const gives = addressIn(members, ['makerAsset', 'makerToken', 'sellToken', 'tokenSell'])
  const gets = addressIn(members, ['takerAsset', 'takerToken', 'buyToken', 'tokenBuy'])
  const giveAmount = numberIn(members, ['makerAmount', 'makingAmount', 'makerAssetAmount', 'sellAmount'])
  const getAmount = numberIn(members, ['takerAmount', 'takingAmount', 'takerAssetAmount', 'buyAmount'])
  if (gives !== null && gets !== null && giveAmount !== null && getAmount !== null) {
    const amounts = { giveAmount: everyDigit(giveAmount.toString()), getAmount: everyDigit(getAmount.toString()) }
    return { key: 'ui.meaning.swap', values: { gives, gets, ...amounts } }
  }
  return maker === null ? null : { key: 'ui.meaning.order', values: { maker } }
}

interface SafePlace {
  readonly wallet: string | null
  readonly lax: (wei: bigint) => string
}

/** What a Safe wallet does once enough owners signed. */
function safeOf(name: string, members: readonly MessageNode[], { wallet, lax }: SafePlace): TypedMeaning | null {
  const to = addressIn(members, ['to'])
  const wei = numberIn(members, ['value'])
  const operation = numberIn(members, ['operation'])
  const data = valueIn(members, ['data'])
  if (name !== 'SafeTx' || wallet === null || to === null) return null
  if (wei === null || operation === null || data === null) return null
  if (operation !== 0n) return { key: 'ui.meaning.safeCode', values: { wallet, to } }
  const values = { wallet, to, amount: lax(wei) }
  if (data === '0x') return { key: 'ui.meaning.safePayment', values }
  return { key: wei === 0n ? 'ui.meaning.safeCall' : 'ui.meaning.safePaidCall', values }
}

function valueIn(members: Members, names: readonly string[]): string | null {
  if (members === undefined || typeof members === 'string') return null
  const found = members.find((member) => names.includes(member.name))?.value
  return typeof found === 'string' ? found : null
}

function nested(members: readonly MessageNode[], names: readonly string[]): readonly MessageNode[] | null {
  const found = members.find((member) => names.includes(member.name))?.value
  return found === undefined || typeof found === 'string' ? null : found
}

function addressIn(members: Members, names: readonly string[]): string | null {
  const text = valueIn(members, names)
  return text !== null && isAddress(text) ? text : null
}

/** Shown as `5 (0x5)`. */
function numberIn(members: Members, names: readonly string[]): bigint | null {
  const digits = /^\d+/.exec(valueIn(members, names) ?? '')?.[0]
  return digits === undefined ? null : BigInt(digits)
}
