// The effects of a typed document: permits of every form, delegations, orders (Seaport, 0x, 1inch, CoW, UniswapX,
// LooksRare, X2Y2, Blur), wallet transactions, and call data inside it. A wrapper, an array or another type name makes no
// difference: each struct is judged by its members. Only documents of known types in full are understood.
import type { LowerAddress } from '../../base/hex'
import { contractIn, StructHasher, type TypedDocument } from '../typed-data/document'
import { blank, EffectReader } from './call-effects'
import { type Effect, gasRefund, MAX_DATE_S, NOBODY } from './effect'
import { KNOWN_DOCUMENTS } from './known-documents'
import { Words } from './method'
import { addressIn, numberIn, structOf, structsIn, type TypedLeaf, type TypedStruct } from './typed-tree'

/** Less than this of LAX isn't a price, and of a token maybe: 10^12 units are a millionth of a token of 18 decimals. */
const MIN_PRICE = 1_000_000_000_000n
/** How protocols write LAX as a token. */
const COINS: readonly (LowerAddress | null)[] = [NOBODY, `0x${'e'.repeat(40)}`]

function orderEffects(place: StructPlace): readonly Effect[] {
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

function priceIn(token: LowerAddress | null, units: bigint): bigint {
  return COINS.includes(token) && units < MIN_PRICE ? 0n : units
}

/** Whether this receiver of an order's proceeds is its maker: protocols write zero for the maker. */
function isOwn({ account }: StructPlace, receiver: LowerAddress | null, maker: LowerAddress | null): boolean {
  return receiver === null || receiver === NOBODY || receiver === maker || receiver === account
}

/** Those who get the proceeds in place of the account, each once. */
function strangers(place: StructPlace, receivers: readonly LowerAddress[], maker: LowerAddress | null): Effect[] {
  const foreign = new Set(receivers.filter((receiver) => !isOwn(place, receiver, maker)))
  const base = { ...blank('signature', place.depth), contract: place.contract, source: place.struct.type }
  return [...foreign].map((to) => ({ ...base, kind: 'proceeds', from: maker, to }))
}

/** Whoever fills it takes the offer; the account gets its part of the consideration. */
function seaport(place: StructPlace): readonly Effect[] | null {
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
function outputs(place: StructPlace): readonly Effect[] | null {
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
function limitOrder(place: StructPlace): readonly Effect[] | null {
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
function isExtended(struct: TypedStruct): boolean {
  return ((numberIn(struct, ['makertraits']) ?? 0n) & HAS_EXTENSION) !== 0n
}

/** 1inch packs it into 40 bits of the traits; 0 = never. */
function traitsEnd(struct: TypedStruct): bigint | null {
  const traits = numberIn(struct, ['makertraits'])
  if (traits === null) return null
  return BigInt.asUintN(40, traits >> 80n) || MAX_DATE_S + 1n
}

const MAKERS = ['maker', 'offerer', 'trader', 'signer', 'seller', 'swapper', 'owner']
const BUYS = 0n

/** A non-fungible token for a price: LooksRare, X2Y2, Blur. */
function collectible(place: StructPlace): readonly Effect[] | null {
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
function named({ struct, contract, depth }: StructPlace): readonly Effect[] {
  // An order's own part: the order around it is judged.
  const isOrder = /order|offer|listing|auction/i.test(struct.type) && !struct.leaves.has('reactor')
  const maker = addressIn(struct, MAKERS)
  if (!isOrder || maker === null) return []
  return [{ ...blank('signature', depth), kind: 'order', contract, from: maker, source: struct.type }]
}

function insideOf({ inside }: TypedStruct, names: readonly string[]): readonly TypedStruct[] {
  return inside.filter((each) => names.includes(each.name)).map(({ struct }) => struct)
}

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

const TARGETS = ['to', 'target', 'callee', 'dest']

/** Whether it has someone call a contract and pay it: its integers are no amounts of a token. */
function isWalletCall(struct: TypedStruct): boolean {
  const isCall = ['data', 'calldata', 'call'].some((name) => struct.leaves.has(name))
  return isCall && addressIn(struct, TARGETS) !== null && numberIn(struct, ['value', 'wei']) !== null
}

/**
 * Safe's SafeTx and lookalikes, and meta-transactions: operation 1 runs foreign code in the wallet; a gas price pays a
 * refund from it. The value is paid by the wallet, or by the account that a relayer acts for.
 */
function walletEffects({ struct, contract, depth }: StructPlace): readonly Effect[] {
  const to = addressIn(struct, TARGETS)
  const operation = numberIn(struct, ['operation', 'calltype'])
  const isCall = operation !== null || ['data', 'calldata', 'call'].some((name) => struct.leaves.has(name))
  if (to === null || !isCall) return []
  const from = addressIn(struct, ['from', 'sender', 'account', 'wallet']) ?? contract
  const base = { ...blank('signature', depth), contract, source: struct.type }
  const effects: Effect[] = []
  const value = numberIn(struct, ['value', 'amount', 'wei']) ?? 0n
  if (value > 0n) effects.push({ ...base, kind: 'payment', from, to, amount: value })
  if (operation !== null && operation !== 0n) {
    const detail = 'runs its code with all rights of the wallet (delegatecall)'
    effects.push({ ...base, kind: 'control', to, detail })
  }
  if ((numberIn(struct, ['gasprice']) ?? 0n) > 0n) {
    const refund = gasRefund(addressIn(struct, ['gastoken']), addressIn(struct, ['refundreceiver']))
    effects.push({ ...base, ...refund, from: contract })
  }
  return effects
}

const LOW_128 = (1n << 128n) - 1n

/** An ERC-4337 user operation: its account runs the call data, and pays for the gas. Null for another struct. */
function operationEffects({ struct, contract, depth }: StructPlace): readonly Effect[] | null {
  const from = addressIn(struct, ['sender'])
  if (from === null || !struct.leaves.has('calldata') || numberIn(struct, ['preverificationgas']) === null) return null
  const base = { ...blank('signature', depth), source: struct.type }
  const fee = maximumFee(struct)
  const effects: Effect[] = []
  if (fee > 0n) effects.push({ ...base, kind: 'payment', from, to: contract, amount: fee, detail: 'for gas' })
  if (bytesIn(struct, 'initcode').length > 0) {
    effects.push({ ...base, kind: 'control', contract: from, detail: 'its code is created by the operation' })
  }
  return effects
}

/** Wei; the limits are members of their own, or two halves of a word each. */
function maximumFee(struct: TypedStruct): bigint {
  const [limits, fees] = [bytesIn(struct, 'accountgaslimits'), bytesIn(struct, 'gasfees')]
  const packed = new Words(limits).number(0)
  const price = numberIn(struct, ['maxfeepergas']) ?? new Words(fees).number(0) & LOW_128
  const own = (numberIn(struct, ['callgaslimit']) ?? 0n) + (numberIn(struct, ['verificationgaslimit']) ?? 0n)
  const gas = (numberIn(struct, ['preverificationgas']) ?? 0n) + own + (packed >> 128n) + (packed & LOW_128)
  return price * gas
}

function bytesIn({ leaves }: TypedStruct, name: string): Uint8Array {
  const found = leaves.get(name)?.find((leaf) => leaf.kind === 'bytes')
  return found?.kind === 'bytes' ? found.value : new Uint8Array(0)
}

const TAKERS = ['spender', 'operator', 'grantee', 'manager', 'authorized']
const GRANTEES = [...TAKERS, 'delegatee', 'delegate']
/** Member names of a key or program that may act for the account. */
const AGENTS = [
  'sessionkey',
  'sessionpubkey',
  'sessionsigner',
  'agent',
  'agentaddress',
  'keeper',
  'subkey',
  'apiwallet',
]
const NOT_AMOUNTS = new Set([
  ...['nonce', 'deadline', 'sigdeadline', 'expiry', 'expiration', 'expires', 'validafter', 'validbefore', 'chainid'],
  ...['salt', 'timestamp', 'starttime', 'endtime', 'gas', 'gaslimit', 'gasprice', 'version', 'tokenid', 'id'],
])
const ENDS = ['deadline', 'expiration', 'expiry', 'sigdeadline', 'validbefore', 'expires', 'validuntil', 'validto']
const RECEIVERS = ['to', 'recipient', 'receiver', 'payee', 'destination', 'beneficiary']
const AMOUNTS = ['value', 'amount', 'amounts', 'values', 'wad', 'quantity', 'sum', 'price', 'wei', 'assets', 'shares']
/** A delegation with other members than these gives more than a vote. */
const VOTE_MEMBERS = new Set([
  ...['delegatee', 'delegate', 'delegator', 'owner', 'nonce', 'expiry', 'deadline', 'expiration', 'type'],
  'delegationtype',
])
/** More amounts of one struct than any document lists; one more makes it unreadable. */
const MAX_AMOUNTS = 257

interface DocumentMeaning {
  readonly effects: readonly Effect[]
  /** Which parts of it aren't understood, in plain words; empty when its whole meaning is known. */
  readonly notUnderstood: readonly string[]
  /** Steps taken, for tests. */
  readonly steps: number
}

/**
 * @param typed already hashed, so every value matches its type
 * @param account that signs, lower case; null = unknown, so that every receiver counts as another
 */
export function documentMeaning(typed: TypedDocument, account: LowerAddress | null): DocumentMeaning {
  const root = structOf(typed.types, typed.primaryType, typed.message)
  const contract = contractIn(typed)
  const reader = new EffectReader('signature')
  let rootAmounts: readonly Amount[] | null = null
  const amountsOfRoot = (): readonly Amount[] => (rootAmounts ??= amountsOf(root))
  let isOpaque = true
  for (const struct of structsIn(root)) {
    const place: StructPlace = { struct, root, contract, account, amountsOfRoot, depth: struct === root ? 0 : 1 }
    isOpaque &&= onlyBytes(struct)
    if (!reader.hasRoom()) break
    for (const effect of structEffects(place)) reader.add(effect)
    readCalls(place, reader)
    if (isExtended(struct)) reader.note("an extension of the order that isn't shown, which may set its price")
  }
  if (root.leaves.size > 0 && reader.effects.length === 0 && isOpaque) {
    const detail = 'holds nothing but bytes, such as the hash of something that is not shown'
    reader.add({ ...blank('signature', 0), contract, source: root.type, detail })
  }
  const encoded = new StructHasher(typed.types).encodeType(typed.primaryType)
  if (!KNOWN_DOCUMENTS.has(encoded)) reader.note(unknownType(root.type))
  return { effects: reader.effects, notUnderstood: reader.notUnderstood, steps: reader.steps }
}

/** A type's name is the caller's own text: only a plain one is repeated. */
function unknownType(type: string): string {
  return /^[A-Za-z]\w{0,39}$/.test(type) ? `documents of the type ${type} with these members` : 'documents of this type'
}

interface StructPlace {
  readonly struct: TypedStruct
  readonly root: TypedStruct
  readonly contract: LowerAddress | null
  readonly account: LowerAddress | null
  readonly amountsOfRoot: () => readonly Amount[]
  readonly depth: number
}

function structEffects(place: StructPlace): readonly Effect[] {
  const operation = operationEffects(place)
  if (operation !== null) return operation
  const found = [...permitEffects(place), ...agentEffects(place), ...walletEffects(place), ...orderEffects(place)]
  return found.length > 0 || isWalletCall(place.struct) ? found : transferEffects(place)
}

/** A grant: who may take, and what. Without its own amounts the whole document's are used. */
function permitEffects({ struct, root, contract, depth, amountsOfRoot }: StructPlace): readonly Effect[] {
  const to = addressIn(struct, GRANTEES)
  if (to === null && !(struct === root && isNamedPermit(root))) return []
  const base = { ...blank('signature', depth), contract, to, source: struct.type, until: numberIn(struct, ENDS) }
  const from = addressIn(struct, ['owner', 'holder', 'delegator', 'authorizer'])
  const allowed = booleans(struct, ['allowed', 'approved', 'isallowed', 'isauthorized'])
  if (allowed.includes(false)) return [{ ...base, from, kind: 'revocation' }]
  const isDelegation = addressIn(struct, TAKERS) === null && addressIn(struct, ['delegatee', 'delegate']) !== null
  if (isDelegation && isVote(struct)) return [{ ...base, from, kind: 'vote' }]
  if (allowed.includes(true)) return [{ ...base, from, kind: 'grant', amount: 'all' }]
  const own = amountsOf(struct)
  if (isDelegation && own.length === 0) return [{ ...base, from, kind: 'control', contract: from, detail: ACTS }]
  const amounts = own.length > 0 ? own : amountsOfRoot()
  if (amounts.length > 0) {
    return amounts.map(({ token, amount, until }) => ({
      ...base,
      from,
      kind: amount === 0n ? 'revocation' : 'grant',
      contract: token ?? contract,
      amount,
      until: until ?? base.until,
      detail: isDelegation ? 'as a debt of the account' : '',
    }))
  }
  const token = numberIn(struct, ['tokenid', 'id'])
  if (token !== null) return [{ ...base, from, kind: 'grant', amount: 'number', detail: `token number ${token}` }]
  return [{ ...base, from, kind: 'grant', amount: 'all' }]
}

const ACTS = 'may act in its place'

/** Named after a permit, although nothing in it names who is permitted. */
function isNamedPermit(root: TypedStruct): boolean {
  if (!/permit|approv|allowance/i.test(root.type)) return false
  for (const struct of structsIn(root)) if (hasGrantee(struct)) return false
  return true
}

/** Nothing but the delegate and how long. */
function isVote({ type, leaves, inside }: TypedStruct): boolean {
  return /delegat/i.test(type) && inside.length === 0 && [...leaves.keys()].every((name) => VOTE_MEMBERS.has(name))
}

/** Session keys and the like: someone signs in the place of the account from then on. */
function agentEffects({ struct, depth, contract }: StructPlace): readonly Effect[] {
  const to = addressIn(struct, AGENTS)
  if (to === null) return []
  const until = numberIn(struct, ENDS)
  const place = { ...blank('signature', depth), source: struct.type, contract: addressIn(struct, ['account']), until }
  return [{ ...place, kind: 'control', contract: place.contract ?? contract, to, detail: ACTS }]
}

function hasGrantee(struct: TypedStruct): boolean {
  return addressIn(struct, GRANTEES) !== null
}

function booleans({ leaves }: TypedStruct, names: readonly string[]): readonly boolean[] {
  const found = names.flatMap((name): readonly TypedLeaf[] => leaves.get(name)?.slice(0, 2) ?? [])
  return found.flatMap((leaf) => (leaf.kind === 'bool' ? [leaf.value] : []))
}

interface Amount {
  readonly token: LowerAddress | null
  readonly amount: bigint
  readonly until: bigint | null
}

/** The parts of a permit that say what is permitted; the rest of it is about something else. */
const PERMITTED = ['permitted', 'details']

/** Integers that could be an amount, in the struct and in nested ones: the first of them. */
function amountsOf(struct: TypedStruct): readonly Amount[] {
  const permitted = struct.inside.filter(({ name }) => PERMITTED.includes(name)).map((each) => each.struct)
  const found: Amount[] = []
  for (const part of permitted.length > 0 ? permitted : [struct]) {
    for (const each of structsIn(part)) {
      const token = addressIn(each, ['token', 'asset', 'currency'])
      const until = numberIn(each, ENDS)
      for (const [name, leaves] of each.leaves) {
        if (NOT_AMOUNTS.has(name)) continue
        for (const leaf of leaves) {
          if (leaf.kind !== 'integer') continue
          found.push({ token, amount: leaf.value < 0n ? 0n : leaf.value, until })
          if (found.length >= MAX_AMOUNTS) return found
        }
      }
    }
  }
  return found
}

/** ERC-3009 and the like: a payment that anyone can execute. */
function transferEffects({ struct, contract, depth }: StructPlace): readonly Effect[] {
  const to = addressIn(struct, RECEIVERS)
  if (to === null || hasGrantee(struct) || /order/i.test(struct.type)) return []
  const isNamed = /transfer|receive|withdraw|pay|send/i.test(struct.type) || numberIn(struct, AMOUNTS) !== null
  const amounts = isNamed ? amountsOf(struct) : []
  const base = { ...blank('signature', depth), kind: 'transfer' as const, to, source: struct.type }
  const from = addressIn(struct, ['from', 'owner'])
  return amounts.map(({ token, amount, until }) => ({ ...base, from, contract: token ?? contract, amount, until }))
}

/** Members that hold call data in known documents. */
const CALL_MEMBERS = ['data', 'calldata', 'call', 'functiondata', 'functionsignature']

/** Bytes in the document may be calls that someone makes with it. */
function readCalls({ struct, contract }: StructPlace, reader: EffectReader): void {
  // A user operation is run by the account that it names.
  const isOperation = struct.leaves.has('calldata') && addressIn(struct, ['sender']) !== null
  const own = addressIn(struct, ['sender', 'wallet'])
  const target = isOperation ? own : (addressIn(struct, TARGETS) ?? contract)
  const sender = isOperation ? null : (addressIn(struct, ['from', 'sender', 'account']) ?? contract)
  for (const [name, leaves] of struct.leaves) {
    const mayBeNoCall = !CALL_MEMBERS.includes(name)
    for (const leaf of leaves) {
      if (leaf.kind === 'bytes') reader.readCall(leaf.value, { contract: target, sender, depth: 1, mayBeNoCall })
    }
  }
}

/** It only contains bytes: what they stand for can't be determined. */
function onlyBytes({ leaves }: TypedStruct): boolean {
  for (const list of leaves.values()) for (const { kind } of list) if (kind !== 'bytes') return false
  return true
}
