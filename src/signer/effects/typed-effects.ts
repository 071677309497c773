// The effects of a typed document: permits of every form, delegations, orders, wallet transactions, and call data inside
// it. A wrapper, an array or another type name makes no difference: each struct is judged by its members. Whether its
// whole meaning is known is another question: only documents of known types in full are understood.
import type { LowerAddress } from '../address'
import { contractIn, type TypedDocument } from '../typed-data/document'
import { StructHasher } from '../typed-data/encode'
import { blank, EffectReader } from './call-effects'
import type { Effect } from './effect'
import { KNOWN_DOCUMENTS } from './known-documents'
import { isExtended, orderEffects } from './orders'
import { addressIn, numberIn, structOf, structsIn, type TypedLeaf, type TypedStruct } from './typed-tree'
import { isWalletCall, operationEffects, walletEffects } from './wallet-documents'

/** Member names of the grantee in known permits. */
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
/** Integers that aren't amounts. */
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
  const target = isOperation ? own : (addressIn(struct, ['to', 'target', 'callee', 'dest']) ?? contract)
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
