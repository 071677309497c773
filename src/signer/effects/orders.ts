// Marketplace orders: what the account offers, what it gets in return, and who gets that. Sources: Seaport's
// OrderComponents, 0x and 1inch limit orders, CoW's Order, UniswapX, LooksRare, X2Y2 and Blur.
import type { LowerAddress } from '../address'
import { blank } from './call-effects'
import { type Effect, MAX_DATE_S, NOBODY } from './effect'
import { addressIn, numberIn, type TypedStruct } from './typed-tree'

/** Less than this of LAX isn't a price, and of a token maybe: 10^12 units are a millionth of a token of 18 decimals. */
const MIN_PRICE = 1_000_000_000_000n
/** How protocols write LAX as a token. */
const COINS: readonly (LowerAddress | null)[] = [NOBODY, `0x${'e'.repeat(40)}`]

interface OrderPlace {
  readonly struct: TypedStruct
  readonly contract: LowerAddress | null
  /** That signs; null = unknown. */
  readonly account: LowerAddress | null
  readonly depth: number
}

/** Empty when the struct isn't an order. */
export function orderEffects(place: OrderPlace): readonly Effect[] {
  return seaport(place) ?? outputs(place) ?? limitOrder(place) ?? collectible(place) ?? named(place)
}

const NOTHING = 'nothing comes back to the account'
const SOMETHING = 'something comes back to the account'
/** Fewer units than one token of 6 decimals. */
const FEW = /^only \d{1,6} units /

/** Whether an order gives something away for free, or for next to nothing. */
export function isGift({ kind, detail }: Effect): boolean {
  return kind === 'order' && (detail === NOTHING || FEW.test(detail))
}

/** @param units of what comes back, whose decimals the document doesn't tell */
function priceText(units: bigint): string {
  if (units >= MIN_PRICE) return SOMETHING
  if (units <= 0n) return NOTHING
  return `only ${units} units come back to the account, next to nothing for a token of 18 decimals`
}

/** The units that count as a price. */
function priceIn(token: LowerAddress | null, units: bigint): bigint {
  return COINS.includes(token) && units < MIN_PRICE ? 0n : units
}

/** Whether this receiver of an order's proceeds is its maker: protocols write zero for the maker. */
function isOwn({ account }: OrderPlace, receiver: LowerAddress | null, maker: LowerAddress | null): boolean {
  return receiver === null || receiver === NOBODY || receiver === maker || receiver === account
}

/** Those who get the proceeds in place of the account, each once. */
function strangers(place: OrderPlace, receivers: readonly LowerAddress[], maker: LowerAddress | null): Effect[] {
  const foreign = new Set(receivers.filter((receiver) => !isOwn(place, receiver, maker)))
  const base = { ...blank('signature', place.depth), contract: place.contract, source: place.struct.type }
  return [...foreign].map((to) => ({ ...base, kind: 'proceeds', from: maker, to }))
}

/** Whoever fills it takes the offer; the account gets its part of the consideration. */
function seaport(place: OrderPlace): readonly Effect[] | null {
  const { struct, contract, depth } = place
  const offers = insideOf(struct, ['offer'])
  const offerer = addressIn(struct, ['offerer'])
  if (offerer === null && offers.length === 0) return null
  const consideration = insideOf(struct, ['consideration'])
  const back = consideration.filter((item) => isOwn(place, addressIn(item, ['recipient']), offerer))
  const detail = highestPrice(back)
  const base = { ...blank('signature', depth), source: struct.type, detail, until: numberIn(struct, ['endtime']) }
  return offers.map((item) => ({
    ...base,
    kind: 'order',
    contract: addressIn(item, ['token']) ?? contract,
    from: offerer,
    amount: largest(item),
    ...idOf(item),
  }))
}

/** Types that name one token by its number: ERC-721, and a single one of ERC-1155. */
const NUMBERED = [2n, 3n]

function idOf(item: TypedStruct): Pick<Effect, 'id'> {
  const type = numberIn(item, ['itemtype'])
  const id = numberIn(item, ['identifierorcriteria'])
  const isOne = type !== null && NUMBERED.includes(type) && largest(item) === 1n
  return isOne && id !== null ? { id } : {}
}

/** Several outputs, each with its recipient: UniswapX's Dutch and limit orders. */
function outputs(place: OrderPlace): readonly Effect[] | null {
  const { struct, contract, depth } = place
  const out = insideOf(struct, ['outputs', 'baseoutputs'])
  if (out.length === 0) return null
  const input = insideOf(struct, ['input', 'baseinput'])[0] ?? struct
  const info = insideOf(struct, ['info'])[0] ?? struct
  const maker = addressIn(info, ['swapper', 'offerer', 'maker'])
  const own = out.filter((item) => isOwn(place, addressIn(item, ['recipient', 'receiver']), maker))
  const amount = numberIn(input, [
    'maxamount',
    'inputendamount',
    'endamount',
    'inputstartamount',
    'startamount',
    'amount',
  ])
  const order: Effect = {
    ...blank('signature', depth),
    kind: 'order',
    contract: addressIn(input, ['inputtoken', 'token', 'baseinputtoken']) ?? contract,
    from: maker,
    amount,
    until: numberIn(info, ['deadline']),
    source: struct.type,
    detail: highestPrice(own),
  }
  const receivers = out.flatMap((item) => addressIn(item, ['recipient', 'receiver']) ?? [])
  return [order, ...strangers(place, receivers, maker)]
}

/** One asset for another, with the member names of limit orders. */
function limitOrder(place: OrderPlace): readonly Effect[] | null {
  const { struct, depth } = place
  const gives = addressIn(struct, ['makerasset', 'makertoken', 'selltoken', 'tokensell', 'inputtoken'])
  if (gives === null) return null
  const offered = numberIn(struct, ['makeramount', 'makingamount', 'makerassetamount', 'sellamount', 'inputamount'])
  // CoW's is taken besides what is sold.
  const amount = offered === null ? null : offered + (numberIn(struct, ['feeamount']) ?? 0n)
  const back = numberIn(struct, ['takeramount', 'takingamount', 'takerassetamount', 'buyamount', 'outputamount'])
  const maker = addressIn(struct, MAKERS)
  const receiver = addressIn(struct, ['receiver', 'recipient', 'beneficiary'])
  const asset = addressIn(struct, ['takerasset', 'takertoken', 'buytoken', 'tokenbuy', 'outputtoken'])
  const price = isOwn(place, receiver, maker) ? priceText(priceIn(asset, back ?? 0n)) : NOTHING
  const detail = price === SOMETHING && isExtended(struct) ? '' : price
  const until = numberIn(struct, ['expiry', 'validto', 'expiration', 'deadline']) ?? traitsEnd(struct)
  const base = { ...blank('signature', depth), source: struct.type, until, detail }
  const order: Effect = { ...base, kind: 'order', contract: gives, amount }
  return [order, ...strangers(place, receiver === null ? [] : [receiver], maker)]
}

/** 1inch's bit for an extension, which may hold other prices than the order's, and calls before and after it. */
const HAS_EXTENSION = 1n << 249n

/** Whether its price may be set by data that isn't in the document. */
export function isExtended(struct: TypedStruct): boolean {
  return ((numberIn(struct, ['makertraits']) ?? 0n) & HAS_EXTENSION) !== 0n
}

/** 1inch packs it into 40 bits of the traits; 0 = never. */
function traitsEnd(struct: TypedStruct): bigint | null {
  const traits = numberIn(struct, ['makertraits'])
  if (traits === null) return null
  return BigInt.asUintN(40, traits >> 80n) || MAX_DATE_S + 1n
}

const MAKERS = ['maker', 'offerer', 'trader', 'signer', 'seller', 'swapper', 'owner']
/** Sides of an order that buy. */
const BUYS = 0n

/** A non-fungible token for a price: LooksRare, X2Y2, Blur. */
function collectible(place: OrderPlace): readonly Effect[] | null {
  const { struct, contract, depth } = place
  const collection = addressIn(struct, [
    'collection',
    'nft',
    'nftcontract',
    'nftaddress',
    'erc721token',
    'erc1155token',
  ])
  const price = numberIn(struct, ['price', 'erc20tokenamount', 'startprice'])
  const maker = addressIn(struct, MAKERS)
  if (collection === null || price === null) return null
  const side = numberIn(struct, ['quotetype', 'side', 'direction'])
  const asks = struct.leaves.get('isorderask')?.[0]
  const isBid = side === BUYS || (asks?.kind === 'bool' && !asks.value)
  const until = numberIn(struct, ['endtime', 'expirationtime', 'expiry', 'deadline'])
  const base: Effect = { ...blank('signature', depth), kind: 'order', from: maker, source: struct.type, until }
  const currency = addressIn(struct, ['currency', 'paymenttoken', 'erc20token'])
  if (isBid) return [{ ...base, contract: currency ?? contract, amount: price, detail: SOMETHING }]
  return [{ ...base, contract: collection, detail: priceText(priceIn(currency, price)) }]
}

/** Recognized by name only: what it gives is unknown. */
function named({ struct, contract, depth }: OrderPlace): readonly Effect[] {
  // An order's own part: the order around it is judged.
  const isOrder = /order|offer|listing|auction/i.test(struct.type) && !struct.leaves.has('reactor')
  const maker = addressIn(struct, MAKERS)
  if (!isOrder || maker === null) return []
  return [{ ...blank('signature', depth), kind: 'order', contract, from: maker, source: struct.type }]
}

function insideOf({ inside }: TypedStruct, names: readonly string[]): readonly TypedStruct[] {
  return inside.filter((each) => names.includes(each.name)).map(({ struct }) => struct)
}

/** Of several that come back. */
function highestPrice(items: readonly TypedStruct[]): string {
  return priceText(items.map(priceOf).reduce((most, price) => (price > most ? price : most), 0n))
}

/** A falling price counts with its end value. */
function priceOf(item: TypedStruct): bigint {
  const start = numberIn(item, ['startamount', 'amount', 'maxamount']) ?? 0n
  const end = numberIn(item, ['endamount', 'minamount']) ?? start
  // A non-fungible token (types 2 and above) has value, whatever its price.
  if ((numberIn(item, ['itemtype']) ?? 0n) >= 2n) return start > 0n && end > 0n ? MIN_PRICE : 0n
  return priceIn(addressIn(item, ['token']), start < end ? start : end)
}

function largest(item: TypedStruct): bigint {
  const start = numberIn(item, ['startamount']) ?? 0n
  const end = numberIn(item, ['endamount']) ?? 0n
  return start > end ? start : end
}
