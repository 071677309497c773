// The effects of call data. Nested calls are followed where their position is known; then every byte offset is checked,
// so that no unknown wrapper, padding or depth hides a known method's selector.
import { checksumAddress } from '../../base/checksum-address'
import { type LowerAddress, toHex } from '../../base/hex'
import { matchCall } from '../abi/call'
import { callingMethods, receivingMethods } from './calling-methods'
import { controlMethods } from './control-methods'
import type { Effect, EffectForm } from './effect'
import { type CallReading, type MethodMeaning, MethodTable, selectorNumber, Words } from './method'
import { tokenMethods } from './token-methods'

const METHODS = new MethodTable([...tokenMethods, ...controlMethods, ...receivingMethods, ...callingMethods])

const SELECTOR_BYTES = 4
/** Maximum depth of nested calls followed by structure; deeper ones are found by their selectors. */
const MAX_DEPTH = 16
/** Work limits per request. Exceeding one is CRITICAL in itself. */
const MAX_CALLS = 2_000
const MAX_EFFECTS = 256
/**
 * Elements of lists that may be visited: some, and one for each of this many bytes of data. An element takes 64 bytes in
 * an honest encoding; without this limit, n lists that all begin inside each other would take n² steps.
 */
const STEPS = 4_096
const BYTES_PER_STEP = 16
const MAX_UNKNOWN = 4

interface CallPlace {
  readonly contract: LowerAddress | null
  /** The caller; null = the signing account. */
  readonly sender: LowerAddress | null
  readonly depth: number
  /** True for bytes that needn't be a call: an unknown method in them isn't reported. */
  readonly mayBeNoCall?: boolean
}

/** A yield that a contract keeps, and of which token; null = not known. */
interface Kept {
  readonly token: LowerAddress | null
  readonly effect: Effect
}

/** Collects the effects of one request: from its call data, or from all data in a document. */
export class EffectReader {
  readonly #effects: Effect[] = []
  /** Offsets of calls already read, so that the search doesn't report them twice. */
  readonly #seen = new Set<string>()
  readonly #unknown = new Set<string>()
  #kept: readonly Kept[] = []
  #callsLeft = MAX_CALLS
  #stepsLeft = STEPS
  #steps = 0
  #isCut = false

  constructor(private readonly form: EffectForm) {}

  get effects(): readonly Effect[] {
    if (!this.#isCut) return this.#effects
    return [
      ...this.#effects,
      { ...blank(this.form, 0), kind: 'unreadable', detail: 'holds more calls than can be read' },
    ]
  }

  /** Why the meaning isn't wholly known, in plain words; empty when it is. */
  get notUnderstood(): readonly string[] {
    const cut = this.#isCut ? ['it holds more calls than can be read'] : []
    const all = [...this.#unknown, ...cut]
    const left = all.length - MAX_UNKNOWN
    return left > 0 ? [...all.slice(0, MAX_UNKNOWN), `${left} more parts of it`] : all
  }

  /** Steps taken, for tests: the work that a request caused. */
  get steps(): number {
    return this.#steps
  }

  /** Takes one step of the work limit; false once a limit is reached. */
  readonly hasRoom = (): boolean => {
    if (this.#callsLeft > 0 && this.#stepsLeft > 0 && this.#effects.length < MAX_EFFECTS) {
      this.#stepsLeft -= 1
      this.#steps += 1
      return true
    }
    this.#isCut = true
    return false
  }

  add(effect: Effect): void {
    if (this.hasRoom()) this.#effects.push(effect)
  }

  /** Part of the request isn't understood. @param reason completes "Not understood: ..." */
  note(reason: string): void {
    this.#unknown.add(reason)
  }

  readCall(data: Uint8Array, place: CallPlace): void {
    this.#seen.clear()
    this.#stepsLeft += Math.floor(data.length / BYTES_PER_STEP)
    this.#call(data, place)
    if (!isPlainCall(data)) this.#search(data, place.depth + 1)
    for (const { effect } of this.#kept) this.add(effect)
    this.#kept = []
  }

  #keep(kept: Kept): void {
    if (this.#kept.length < MAX_EFFECTS) this.#kept = [...this.#kept, kept]
    else this.#isCut = true
  }

  #take(contract: LowerAddress | null, token: LowerAddress | null): void {
    const here = this.#kept.filter(({ effect }) => effect.to === contract)
    const taken =
      here.find((kept) => kept.token === token) ?? here.find((kept) => token === null || kept.token === null)
    this.#kept = this.#kept.filter((kept) => kept !== taken)
  }

  #call(data: Uint8Array, place: CallPlace): void {
    if (data.length === 0 || !this.hasRoom()) return
    const meaning = data.length < SELECTOR_BYTES ? undefined : METHODS.get(selectorNumber(data, 0))
    if (place.depth > MAX_DEPTH) this.note('calls nested too deep to be read')
    else if (meaning === undefined) this.#noteUnknown(data, place)
    else if (this.#isNew(data, place)) {
      this.#callsLeft -= 1
      this.#read(meaning, data, place)
    }
  }

  #noteUnknown(data: Uint8Array, { contract, depth, mayBeNoCall = false }: CallPlace): void {
    if (mayBeNoCall || this.#unknown.size > MAX_UNKNOWN) return
    const at = contract === null ? 'a contract' : checksumAddress(contract)
    const what = `the method ${toHex(data.subarray(0, SELECTOR_BYTES))} of ${at}`
    this.note(depth === 0 ? what : `a call inside it, of ${what}`)
  }

  /** The same bytes may be several calls to different targets; each is reported once. */
  #isNew({ byteOffset }: Uint8Array, { contract, sender }: CallPlace): boolean {
    const key = `${byteOffset} ${contract ?? ''} ${sender ?? ''}`
    if (this.#seen.has(key)) return false
    this.#seen.add(key)
    this.#seen.add(String(byteOffset))
    return true
  }

  #read(meaning: MethodMeaning, data: Uint8Array, { contract, sender, depth }: CallPlace): void {
    const base: Effect = { ...blank(this.form, depth), contract, from: sender, source: meaning.signature }
    const reading: CallReading = {
      args: new Words(data.subarray(SELECTOR_BYTES)),
      contract,
      sender,
      hasRoom: this.hasRoom,
      keep: (token) => this.#keep({ token, effect: { ...base, kind: 'proceeds', to: contract } }),
      take: (token) => this.#take(contract, token),
      note: (reason) => this.note(reason),
      add: (effect) => this.add({ ...base, isCallee: depth === 0 && effect.contract === undefined, ...effect }),
      inner: (inside, target, caller, wei = 0n) => {
        const at = { contract: target, sender: caller, depth: depth + 1 }
        if (wei > 0n) this.add({ ...payment(this.form, at, wei), source: meaning.signature })
        this.#call(inside, at)
      },
    }
    meaning.read(reading)
  }

  #search(data: Uint8Array, depth: number): void {
    const { begins } = METHODS
    // Starts after the selector: the data's own was read, or is unknown.
    for (let at = 1; at + SELECTOR_BYTES <= data.length; at++) {
      if (begins[((data[at] ?? 0) << 8) | (data[at + 1] ?? 0)] === 0) continue
      const meaning = METHODS.get(selectorNumber(data, at))
      if (meaning === undefined || this.#seen.has(String(data.byteOffset + at))) continue
      if (!this.hasRoom()) return
      this.#callsLeft -= 1
      this.note('a call at a place that no known method has one')
      this.#read(meaning, data.subarray(at), { contract: null, sender: null, depth })
    }
  }
}

/** A known method with only static arguments and nothing after them: no room for a nested call. */
function isPlainCall(data: Uint8Array): boolean {
  const meaning = METHODS.get(selectorNumber(data, 0))
  if (meaning === undefined || /bytes(?!\d)|string|\[|\(.*\(/.test(meaning.signature)) return false
  const inner = meaning.signature.slice(meaning.signature.indexOf('(') + 1, -1)
  const count = inner === '' ? 0 : inner.split(',').length
  return data.length <= SELECTOR_BYTES + count * 32
}

function payment(form: EffectForm, { contract: to, sender: from, depth }: CallPlace, amount: bigint): Effect {
  return { ...blank(form, depth), kind: 'payment', from, to, amount }
}

export function blank(form: EffectForm, depth: number): Effect {
  return {
    kind: 'unknown',
    form,
    contract: null,
    isCallee: false,
    from: null,
    to: null,
    amount: null,
    until: null,
    source: '',
    depth,
    detail: '',
  }
}

/** The signature of a method whose effects are known; null otherwise. */
export function knownMethod(data: Uint8Array): string | null {
  if (data.length < SELECTOR_BYTES) return null
  return METHODS.get(selectorNumber(data, 0))?.signature ?? null
}

interface TransactionMeaningInput {
  /** Null for a creation. */
  readonly to: LowerAddress | null
  readonly value: bigint
  readonly data: Uint8Array
}

export interface TransactionMeaning {
  readonly effects: readonly Effect[]
  /**
   * Whether these are all its effects: plain LAX, or one known method in its canonical encoding that makes no further
   * calls. Anything else may do more than its data reveals.
   */
  readonly isComplete: boolean
  /** Which parts of it aren't understood, in plain words; empty when its whole meaning is known. */
  readonly notUnderstood: readonly string[]
}

export function transactionMeaning({ to, value, data }: TransactionMeaningInput): TransactionMeaning {
  const payment: Effect = { ...blank('call', 0), kind: 'payment', to, amount: value }
  const paid = value > 0n ? [payment] : []
  if (to === null) {
    const effects: readonly Effect[] = [...paid, { ...blank('call', 0), kind: 'creation' }]
    return { effects, isComplete: false, notUnderstood: ['what the code of the new contract does'] }
  }
  if (data.length === 0) return { effects: paid, isComplete: true, notUnderstood: [] }
  const reader = new EffectReader('call')
  reader.readCall(data, { contract: to, sender: null, depth: 0 })
  const signature = knownMethod(data)
  const found = reader.effects
  if (signature === null) {
    const unknown: Effect = { ...blank('call', 0), contract: to }
    return { effects: [...paid, ...found, unknown], isComplete: false, notUnderstood: reader.notUnderstood }
  }
  const isExact = matchCall(signature, data).kind === 'match'
  return {
    effects: [...paid, ...found],
    isComplete: isExact && reader.notUnderstood.length === 0 && found.length > 0 && found.every(isOwnDeed),
    notUnderstood: isExact
      ? reader.notUnderstood
      : [...reader.notUnderstood, `data that doesn't belong to the method ${signature}`],
  }
}

/** Done by the called contract itself rather than by a nested call. */
function isOwnDeed({ depth, kind }: Effect): boolean {
  return depth === 0 && kind !== 'unknown'
}
