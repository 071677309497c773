// Marketplace orders: what the account offers, and what it gets in return. Sources: Seaport's OrderComponents, 0x and
// 1inch limit orders, CoW's Order.
import type { LowerAddress } from '../address'
import { blank } from './call-effects'
import type { Effect } from './effect'
import { addressIn, numberIn, type TypedStruct } from './typed-tree'

/** Less than this isn't a price: 10^12 units are a millionth of a token of 18 decimals. */
const MIN_PRICE = 1_000_000_000_000n

/** A struct and where it is. */
export interface OrderPlace {
  readonly struct: TypedStruct
  readonly contract: LowerAddress | null
  readonly depth: number
}

/** Empty when the struct isn't an order. */
export function orderEffects(place: OrderPlace): readonly Effect[] {
  return seaport(place) ?? limitOrder(place) ?? named(place)
}

/** Whoever fills it takes the offer; the account gets the consideration. */
function seaport({ struct, contract, depth }: OrderPlace): readonly Effect[] | null {
  const offers = insideOf(struct, 'offer')
  const offerer = addressIn(struct, ['offerer'])
  if (offerer === null && offers.length === 0) return null
  const back = insideOf(struct, 'consideration').filter((item) => {
    const receiver = addressIn(item, ['recipient'])
    return receiver === null || receiver === offerer
  })
  const detail = back.some(isPaid) ? 'something comes back to the account' : NOTHING
  return offers.map((item) => ({
    ...blank('signature', depth),
    kind: 'order',
    contract: addressIn(item, ['token']) ?? contract,
    from: offerer,
    amount: largest(item),
    until: numberIn(struct, ['endtime']),
    source: struct.type,
    detail,
  }))
}

const NOTHING = 'nothing comes back to the account'

/** Whether an order gives something away for free. */
export function isGift({ kind, detail }: Effect): boolean {
  return kind === 'order' && detail === NOTHING
}

/** One asset for another, with the member names of limit orders. */
function limitOrder({ struct, contract, depth }: OrderPlace): readonly Effect[] | null {
  const gives = addressIn(struct, ['makerasset', 'makertoken', 'selltoken', 'tokensell', 'inputtoken'])
  if (gives === null) return null
  const amount = numberIn(struct, ['makeramount', 'makingamount', 'makerassetamount', 'sellamount', 'inputamount'])
  const back = numberIn(struct, ['takeramount', 'takingamount', 'takerassetamount', 'buyamount', 'outputamount'])
  const detail = (back ?? 0n) >= MIN_PRICE ? 'something comes back to the account' : NOTHING
  const until = numberIn(struct, ['expiry', 'validto', 'expiration', 'deadline'])
  const base = { ...blank('signature', depth), source: struct.type, until, detail }
  return [{ ...base, kind: 'order', contract: gives ?? contract, amount }]
}

/** Recognized by name only: what it gives is unknown. */
function named({ struct, contract, depth }: OrderPlace): readonly Effect[] {
  const isOrder = /order|offer|listing|auction/i.test(struct.type)
  const maker = addressIn(struct, ['maker', 'offerer', 'trader', 'signer', 'seller'])
  if (!isOrder || maker === null) return []
  return [{ ...blank('signature', depth), kind: 'order', contract, from: maker, source: struct.type }]
}

function insideOf({ inside }: TypedStruct, name: string): readonly TypedStruct[] {
  return inside.filter((each) => each.name === name).map(({ struct }) => struct)
}

/** A falling price counts with its end value. */
function isPaid(item: TypedStruct): boolean {
  const start = numberIn(item, ['startamount']) ?? 0n
  const end = numberIn(item, ['endamount']) ?? start
  // A non-fungible token (types 2 and above) has value, whatever its price.
  if ((numberIn(item, ['itemtype']) ?? 0n) >= 2n) return start > 0n && end > 0n
  return (start < end ? start : end) >= MIN_PRICE
}

function largest(item: TypedStruct): bigint {
  const start = numberIn(item, ['startamount']) ?? 0n
  const end = numberIn(item, ['endamount']) ?? 0n
  return start > end ? start : end
}
