// The effects of a typed document: permits of every form, orders, wallet transactions, and call data inside it. A
// wrapper, an array or another type name makes no difference: each struct is judged by its members.
import type { LowerAddress } from '../address'
import type { TypedDocument } from '../typed-data/document'
import { blank, EffectReader } from './call-effects'
import type { Effect } from './effect'
import { orderEffects } from './orders'
import { addressIn, numberIn, structOf, structsIn, type TypedLeaf, type TypedStruct } from './typed-tree'

/** Member names of the grantee in known permits. */
const GRANTEES = ['spender', 'operator', 'grantee', 'delegatee', 'delegate']
/** Integers that aren't amounts. */
const NOT_AMOUNTS = new Set([
  ...['nonce', 'deadline', 'sigdeadline', 'expiry', 'expiration', 'expires', 'validafter', 'validbefore', 'chainid'],
  ...['salt', 'timestamp', 'starttime', 'endtime', 'gas', 'gaslimit', 'gasprice', 'version', 'tokenid', 'id'],
])
const ENDS = ['deadline', 'expiration', 'expiry', 'sigdeadline', 'validbefore', 'expires']

/** @param typed already hashed, so every value matches its type */
export function typedEffects(typed: TypedDocument): readonly Effect[] {
  const root = structOf(typed.types, typed.primaryType, typed.message)
  const contract = typed.domain.verifyingContract?.toLowerCase() ?? null
  const reader = new EffectReader('signature')
  const all = structsIn(root)
  for (const [index, struct] of all.entries()) {
    const place: StructPlace = { struct, root, contract, depth: index === 0 ? 0 : 1 }
    for (const effect of structEffects(place)) reader.add(effect)
    readCalls(place, reader)
  }
  if (root.leaves.size > 0 && reader.effects.length === 0 && isOpaque(all)) {
    reader.add({
      ...blank('signature', 0),
      contract,
      source: root.type,
      detail: 'holds nothing but bytes, such as the hash of something that is not shown',
    })
  }
  return reader.effects
}

interface StructPlace {
  readonly struct: TypedStruct
  readonly root: TypedStruct
  /** Of the domain. */
  readonly contract: LowerAddress | null
  readonly depth: number
}

function structEffects(place: StructPlace): readonly Effect[] {
  return [...permitEffects(place), ...transferEffects(place), ...walletEffects(place), ...orderEffects(place)]
}

/** A grant: who may take, and what. Without its own amounts the whole document's are used. */
function permitEffects({ struct, root, contract, depth }: StructPlace): readonly Effect[] {
  const to = addressIn(struct, GRANTEES)
  const isNamedPermit = /permit|approv|allowance/i.test(struct.type) && !structsIn(struct).some(hasGrantee)
  if (to === null && !(isNamedPermit && struct === root)) return []
  const isVote = /delegat/i.test(struct.type) && addressIn(struct, ['spender', 'operator', 'grantee']) === null
  const base = { ...blank('signature', depth), contract, to, source: struct.type, until: numberIn(struct, ENDS) }
  const from = addressIn(struct, ['owner', 'holder'])
  const isRefused = [...booleans(struct, ['allowed', 'approved'])].includes(false)
  if (isRefused) return [{ ...base, from, kind: 'revocation' }]
  if (isVote) return [{ ...base, from, kind: 'vote' }]
  if (booleans(struct, ['allowed', 'approved']).includes(true)) return [{ ...base, from, kind: 'grant', amount: 'all' }]
  const own = amountsOf(struct)
  const amounts = own.length > 0 ? own : amountsOf(root)
  if (amounts.length > 0) {
    return amounts.map(({ token, amount, until }) => ({
      ...base,
      from,
      kind: amount === 0n ? 'revocation' : 'grant',
      contract: token ?? contract,
      amount,
      until: until ?? base.until,
    }))
  }
  const token = numberIn(struct, ['tokenid', 'id'])
  if (token !== null) return [{ ...base, from, kind: 'grant', amount: 'number', detail: `token number ${token}` }]
  return [{ ...base, from, kind: 'grant', amount: 'all' }]
}

function hasGrantee(struct: TypedStruct): boolean {
  return addressIn(struct, GRANTEES) !== null
}

function booleans({ leaves }: TypedStruct, names: readonly string[]): readonly boolean[] {
  const found = names.flatMap((name): readonly TypedLeaf[] => leaves.get(name) ?? [])
  return found.flatMap((leaf) => (leaf.kind === 'bool' ? [leaf.value] : []))
}

interface Amount {
  readonly token: LowerAddress | null
  readonly amount: bigint
  readonly until: bigint | null
}

/** Every integer that could be an amount, in the struct and in nested ones. */
function amountsOf(struct: TypedStruct): readonly Amount[] {
  return structsIn(struct).flatMap((each) => {
    const token = addressIn(each, ['token', 'asset', 'currency'])
    const until = numberIn(each, ENDS)
    const found = [...each.leaves].flatMap(([name, leaves]) =>
      NOT_AMOUNTS.has(name) ? [] : leaves.flatMap((leaf) => (leaf.kind === 'integer' ? [leaf.value] : [])),
    )
    return found.map((amount) => ({ token, amount: amount < 0n ? 0n : amount, until }))
  })
}

/** ERC-3009 and the like: a payment that anyone can execute. */
function transferEffects({ struct, contract, depth }: StructPlace): readonly Effect[] {
  if (!/transfer|receive|withdraw/i.test(struct.type) || hasGrantee(struct) || /order/i.test(struct.type)) return []
  const to = addressIn(struct, ['to', 'recipient', 'receiver', 'payee'])
  const amounts = amountsOf(struct)
  if (to === null || amounts.length === 0) return []
  const base = { ...blank('signature', depth), kind: 'transfer' as const, to, source: struct.type }
  const from = addressIn(struct, ['from', 'owner'])
  return amounts.map(({ token, amount, until }) => ({ ...base, from, contract: token ?? contract, amount, until }))
}

/** Safe's SafeTx and lookalikes: operation 1 runs foreign code in the wallet; a gas price pays a refund from it. */
function walletEffects({ struct, contract, depth }: StructPlace): readonly Effect[] {
  const operation = numberIn(struct, ['operation'])
  const to = addressIn(struct, ['to', 'target'])
  if (operation === null || to === null) return []
  const base = { ...blank('signature', depth), contract, source: struct.type }
  const effects: Effect[] = []
  const value = numberIn(struct, ['value']) ?? 0n
  if (value > 0n) effects.push({ ...base, kind: 'payment', from: contract, to, amount: value })
  if (operation !== 0n) {
    const detail = 'its code runs with all rights of the wallet (delegatecall)'
    effects.push({ ...base, kind: 'control', to, detail })
  }
  if ((numberIn(struct, ['gasprice']) ?? 0n) > 0n) {
    const receiver = addressIn(struct, ['refundreceiver'])
    const token = addressIn(struct, ['gastoken'])
    effects.push({
      ...base,
      kind: 'grant',
      contract: token,
      from: contract,
      to: receiver,
      amount: 'all',
      detail: REFUND,
    })
  }
  return effects
}

const REFUND = 'as a refund of gas, at a price that the document sets'

/** Bytes in the document may be calls that someone makes with it. */
function readCalls({ struct, contract }: StructPlace, reader: EffectReader): void {
  const target = addressIn(struct, ['to', 'target', 'callee', 'dest']) ?? contract
  const sender = addressIn(struct, ['from', 'sender', 'account']) ?? contract
  for (const leaves of struct.leaves.values()) {
    for (const leaf of leaves) {
      if (leaf.kind === 'bytes') reader.readCall(leaf.value, { contract: target, sender, depth: 1 })
    }
  }
}

/** It only contains bytes: what they stand for can't be determined. */
function isOpaque(structs: readonly TypedStruct[]): boolean {
  return structs.every(({ leaves }) => [...leaves.values()].flat().every(({ kind }) => kind === 'bytes'))
}
