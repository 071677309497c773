// The accounts and slots that a transaction reads, in their state before it.
import { bigintFromBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { createdAddress, createdWithSalt, type MessageResult } from '../../execution/message'
import type { CallStart, StateView, Step, Tracer } from '../../execution/tracer'
import { ADDRESS_MASK, addressBytes, bytesOfWord } from '../../execution/word'
import type { World } from '../../execution/world'
import type { AccessListEntry } from '../../model/transaction'
import { addressHex, wordHex } from '../encoding'
import type { TracerChoice } from '../query-wire'
import { type JsonTracer, MAX_HELD_BYTES, type ScriptSubject } from './call-tracer'

// Collects the accounts and slots that a call accesses. Source: EIP-2930

/** Operations that access another account: on top of the stack, or second on it. */
const ACCOUNT_OPS: ReadonlySet<string> = new Set([
  'EXTCODECOPY',
  'EXTCODEHASH',
  'EXTCODESIZE',
  'BALANCE',
  'SELFDESTRUCT',
])
const CALL_OPS: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])

/** The slot of its own account that an instruction accesses; null for most. */
function slotOf({ frame, name }: Step): bigint | null {
  return (name === 'SLOAD' || name === 'SSTORE') && frame.height >= 1 ? frame.peek(0) : null
}

/** The account that an instruction names, by 160 bits; null for most. */
function accountOf({ frame, name }: Step): bigint | null {
  if (ACCOUNT_OPS.has(name)) return frame.height >= 1 ? frame.peek(0) & ADDRESS_MASK : null
  return CALL_OPS.has(name) && frame.height >= 5 ? frame.peek(1) & ADDRESS_MASK : null
}

/** For eth_createAccessList: accounts and slots in order of first access. */
export class AccessListTracer implements Tracer {
  readonly isSparse = true
  readonly #slots = new Map<bigint, Set<bigint>>()

  /** @param isLeftOut accounts that are always warm; their slots still count */
  constructor(
    known: readonly AccessListEntry[],
    private readonly isLeftOut: (address: bigint) => boolean,
  ) {
    for (const { address, storageKeys } of known) {
      const owner = bigintFromBytes(address)
      this.#addAddress(owner)
      for (const key of storageKeys) this.#slotsOf(owner).add(bigintFromBytes(key))
    }
  }

  step(step: Step): void {
    const slot = slotOf(step)
    const account = accountOf(step)
    if (slot !== null) this.#slotsOf(step.frame.address).add(slot)
    if (account !== null) this.#addAddress(account)
  }

  list(): { address: Uint8Array; storageKeys: Uint8Array[] }[] {
    return [...this.#slots].map(([address, keys]) => ({
      address: addressBytes(address),
      storageKeys: [...keys].map((key) => bytesOfWord(key)),
    }))
  }

  equals(other: AccessListTracer): boolean {
    if (this.#slots.size !== other.#slots.size) return false
    for (const [address, keys] of this.#slots) {
      const theirs = other.#slots.get(address)
      if (theirs?.size !== keys.size || ![...keys].every((key) => theirs.has(key))) return false
    }
    return true
  }

  #addAddress(address: bigint): void {
    if (!this.isLeftOut(address)) this.#slotsOf(address)
  }

  #slotsOf(address: bigint): Set<bigint> {
    const slots = this.#slots.get(address) ?? new Set()
    this.#slots.set(address, slots)
    return slots
  }
}

interface PrestateView {
  balance: string
  nonce: number
  readonly code: string
  readonly storage: Record<string, string>
}

/** Overhead of an account beyond its code, and of a slot. */
const ENTRY_BYTES = 400

/** `diffMode`: `{pre, post}`, what changed, before and after, instead of all that was read. */
type PrestateOptions = NonNullable<TracerChoice['prestate']>

const PLAIN: PrestateOptions = { diffMode: false, disableCode: false, disableStorage: false }

/** What it needs to know of its transaction; `coinbase`, 20 bytes: whose balance the fee changes. */
type PrestateSubject = Pick<ScriptSubject, 'message' | 'keccak256'> & { readonly coinbase: Uint8Array }

/** prlx's `prestateTracer`. Source of its options: go-ethereum eth/tracers/native/prestate.go */
export class PrestateTracer implements JsonTracer {
  readonly isSparse = true
  readonly #accounts = new Map<bigint, PrestateView>()
  /** The transaction's own contract. */
  #created: bigint | null = null
  /** All addresses that were to become contracts. */
  readonly #creations = new Set<bigint>()
  #held = 0

  /** @param maxHeldBytes memory limit after which it records nothing more */
  constructor(
    private readonly subject: PrestateSubject,
    private readonly options: PrestateOptions = PLAIN,
    private readonly maxHeldBytes = MAX_HELD_BYTES,
  ) {}

  get isFull(): boolean {
    return this.#held > this.maxHeldBytes
  }

  /** Called after gas was bought and value moved; undoes both for the two accounts concerned. */
  begin({ kind, from, to, value, hasMoved }: CallStart, world: StateView): void {
    const { gas, gasPrice } = this.subject.message
    const moved = hasMoved ? (value ?? 0n) : 0n
    const sender = this.#look(from, world)
    const receiver = this.#look(to, world)
    receiver.balance = toQuantity(BigInt(receiver.balance) - moved)
    sender.balance = toQuantity(BigInt(sender.balance) + moved + BigInt(gas) * gasPrice)
    sender.nonce--
    if (this.options.diffMode) this.#look(bigintFromBytes(this.subject.coinbase), world)
    if (kind !== 'CREATE') return
    this.#created = to
    this.#creations.add(to)
    receiver.nonce = 0
  }

  /** An unaffordable instruction counts as an access, as in prlx; the length of a CREATE2 may be 2^256 then. */
  step(step: Step, world: StateView): void {
    if (this.isFull) return
    const { frame, name, error } = step
    const slot = slotOf(step)
    const account = accountOf(step)
    if (slot !== null) this.#lookAtSlot(frame.address, slot, world)
    else if (account !== null) this.#look(account, world)
    else if (name === 'CREATE') this.#lookAtNew(this.#createdBy(frame.address, world), world)
    else if (name === 'CREATE2' && frame.height >= 4 && error === null) this.#lookAtNew(this.#second(frame), world)
  }

  finish(_result: MessageResult, write: (text: string) => void, world: World): void {
    if (this.options.diffMode) return void write(JSON.stringify(this.#difference(world)))
    if (this.#created !== null) this.#accounts.delete(this.#created)
    write(JSON.stringify(byName([...this.#accounts].map(([address, account]) => [address, this.#shown(account)]))))
  }

  #shown({ code, storage, ...rest }: PrestateView): Partial<PrestateView> {
    const { disableCode, disableStorage } = this.options
    return { ...rest, ...(disableCode ? {} : { code }), ...(disableStorage ? {} : { storage }) }
  }

  /** Accounts that changed; those that ended are only in `pre`, new ones only in `post`. */
  #difference(world: World) {
    const pre: [bigint, object][] = []
    const post: [bigint, object][] = []
    for (const [address, before] of this.#accounts) {
      const isEnded = world.account(address).destructed
      const after = isEnded ? null : this.#changes(world, address, before)
      if (after !== null && Object.keys(after.fields).length === 0 && !after.clearsSlots) continue
      const slots = after === null ? filled(before.storage) : after.slots
      const given = withoutEmpty({ ...this.#shown(before), storage: this.options.disableStorage ? {} : slots })
      const { balance, ...rest } = given
      const isNew = this.#creations.has(address) && balance === '0x0' && Object.keys(rest).length === 0
      if (!isNew) pre.push([address, given])
      if (after !== null) post.push([address, after.fields])
    }
    return { pre: byName(pre), post: byName(post) }
  }

  /** What differs now, with the slots that changed as they were. */
  #changes(world: World, address: bigint, before: PrestateView) {
    const { disableCode, disableStorage } = this.options
    const slots: Record<string, string> = {}
    const newSlots: Record<string, string> = {}
    let clearsSlots = false
    const account = world.account(address)
    const [balance, nonce] = [toQuantity(account.balance), Number(account.nonce)]
    const code = disableCode ? before.code : toHex(account.code)
    for (const [name, old] of disableStorage ? [] : Object.entries(before.storage)) {
      const now = wordHex(world.slot(address, BigInt(name)))
      if (now === old) continue
      if (old !== ZERO_WORD) slots[name] = old
      if (now !== ZERO_WORD) newSlots[name] = now
      else clearsSlots = true
    }
    const fields = {
      ...(balance === before.balance ? {} : { balance }),
      ...(nonce === before.nonce ? {} : { nonce }),
      ...(code === before.code ? {} : { code }),
      ...(Object.keys(newSlots).length === 0 ? {} : { storage: newSlots }),
    }
    return { fields, slots, clearsSlots }
  }

  #createdBy(creator: bigint, world: StateView): bigint {
    return createdAddress(this.subject.keccak256, creator, world.account(creator).nonce)
  }

  #lookAtNew(address: bigint, world: StateView): void {
    this.#look(address, world)
    this.#creations.add(address)
  }

  /** The step comes before memory expands: what isn't allocated yet is 0. */
  #second(frame: Step['frame']): bigint {
    const length = Number(frame.peek(2))
    const code = new Uint8Array(length)
    code.set(frame.memory(Number(frame.peek(1)), length))
    return createdWithSalt(this.subject.keccak256, { creator: frame.address, salt: frame.peek(3), code })
  }

  #look(address: bigint, world: StateView): PrestateView {
    const known = this.#accounts.get(address)
    if (known !== undefined) return known
    const { balance, nonce, code } = world.account(address)
    const view = { balance: toQuantity(balance), nonce: Number(nonce), code: toHex(code), storage: {} }
    this.#held += ENTRY_BYTES + code.length
    this.#accounts.set(address, view)
    return view
  }

  #lookAtSlot(address: bigint, key: bigint, world: StateView): void {
    const { storage } = this.#look(address, world)
    const name = wordHex(key)
    if (name in storage) return
    this.#held += ENTRY_BYTES
    storage[name] = wordHex(world.slot(address, key))
  }
}

const ZERO_WORD = `0x${'00'.repeat(32)}`

function byName(accounts: readonly (readonly [bigint, object])[]) {
  return Object.fromEntries(accounts.map(([address, account]) => [addressHex(address), account]))
}

/** Without slots that hold nothing. */
function filled(storage: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(storage).filter(([, value]) => value !== ZERO_WORD))
}

function withoutEmpty({ balance, nonce, code, storage }: Partial<PrestateView>): Partial<PrestateView> {
  return {
    ...(balance === undefined ? {} : { balance }),
    ...(nonce === undefined || nonce === 0 ? {} : { nonce }),
    ...(code === undefined || code === '0x' ? {} : { code }),
    ...(storage === undefined || Object.keys(storage).length === 0 ? {} : { storage }),
  }
}
