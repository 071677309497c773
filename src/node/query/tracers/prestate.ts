// The accounts and slots that a transaction reads, in their state before it.
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { Keccak256 } from '../../codec/keccak'
import { createdAddress, createdWithSalt } from '../../execution/interpreter/machine'
import type { CallStart, Step } from '../../execution/interpreter/tracer'
import type { Message, MessageResult } from '../../execution/interpreter/transition'
import { ADDRESS_MASK, addressBytes, bytesOfWord } from '../../execution/interpreter/word'
import type { World } from '../../execution/interpreter/world'
import { type JsonTracer, MAX_HELD_BYTES } from './json-tracer'
import { ACCOUNT_OPS, CALL_OPS } from './touching-operations'

interface PrestateView {
  balance: string
  nonce: number
  readonly code: string
  readonly storage: Record<string, string>
}

/** Overhead of an account beyond its code, and of a slot. */
const ENTRY_BYTES = 400

/** The reference's `prestateTracer`. */
export class PrestateTracer implements JsonTracer {
  readonly #accounts = new Map<bigint, PrestateView>()
  #created: bigint | null = null
  #held = 0

  /** @param maxHeldBytes memory limit after which it records nothing more */
  constructor(
    private readonly message: Message,
    private readonly keccak256: Keccak256,
    private readonly maxHeldBytes = MAX_HELD_BYTES,
  ) {}

  get isFull(): boolean {
    return this.#held > this.maxHeldBytes
  }

  /** Called after gas was bought and value moved; undoes both for the two accounts concerned. */
  begin({ kind, from, to, value }: CallStart, world: World): void {
    const { gas, gasPrice } = this.message
    const moved = value ?? 0n
    const sender = this.#look(from, world)
    const receiver = this.#look(to, world)
    receiver.balance = toQuantity(BigInt(receiver.balance) - moved)
    sender.balance = toQuantity(BigInt(sender.balance) + moved + BigInt(gas) * gasPrice)
    sender.nonce--
    if (kind === 'CREATE') this.#created = to
  }

  /**
   * An unaffordable instruction still counts as an access, as in the reference; the length of a CREATE2 may be 2^256
   * then.
   */
  step({ frame, name, error }: Step, world: World): void {
    if (this.isFull) return
    const depth = frame.stack.length
    if ((name === 'SLOAD' || name === 'SSTORE') && depth >= 1) this.#lookAtSlot(frame.address, frame.peek(0), world)
    else if (ACCOUNT_OPS.has(name) && depth >= 1) this.#look(frame.peek(0) & ADDRESS_MASK, world)
    else if (CALL_OPS.has(name) && depth >= 5) this.#look(frame.peek(1) & ADDRESS_MASK, world)
    else if (name === 'CREATE')
      this.#look(createdAddress(this.keccak256, frame.address, world.account(frame.address).nonce), world)
    else if (name === 'CREATE2' && depth >= 4 && error === null) this.#look(this.#second(frame), world)
  }

  finish(_result: MessageResult, write: (text: string) => void): void {
    if (this.#created !== null) this.#accounts.delete(this.#created)
    const view = Object.fromEntries(
      [...this.#accounts].map(([address, account]) => [toHex(addressBytes(address)), account]),
    )
    write(JSON.stringify(view))
  }

  /** The step comes before memory expands: what isn't allocated yet is 0. */
  #second(frame: Step['frame']): bigint {
    const length = Number(frame.peek(2))
    const code = new Uint8Array(length)
    code.set(frame.memory.view(Math.min(Number(frame.peek(1)), frame.memory.size), length).subarray(0, length))
    return createdWithSalt(this.keccak256, { creator: frame.address, salt: frame.peek(3), code })
  }

  #look(address: bigint, world: World): PrestateView {
    const known = this.#accounts.get(address)
    if (known !== undefined) return known
    const { balance, nonce, code } = world.account(address)
    const view = { balance: toQuantity(balance), nonce: Number(nonce), code: toHex(code.bytes), storage: {} }
    this.#held += ENTRY_BYTES + code.bytes.length
    this.#accounts.set(address, view)
    return view
  }

  #lookAtSlot(address: bigint, key: bigint, world: World): void {
    const { storage } = this.#look(address, world)
    const name = toHex(bytesOfWord(key))
    if (name in storage) return
    this.#held += ENTRY_BYTES
    storage[name] = toHex(bytesOfWord(world.slot(address, key)))
  }
}
