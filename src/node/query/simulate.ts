// What a transaction would do in the next block, or what others would do with a signature, for the approval view: whether it
// succeeds, how balances change, the token events it emits, what given accounts hold before and after. On a dropped world.
import { bigintFromBytes, concatBytes } from '../../base/bytes'
import type { Message, MessageResult } from '../execution/message'
import type { CallEnd, CallStart, Frame, Step, Tracer } from '../execution/tracer'
import { ADDRESS_MASK, bytesOfWord } from '../execution/word'
import type { World } from '../execution/world'
import type { StateBlock } from './block-state'
import { addressHex } from './encoding'
import { BUILT_INS, type Ran } from './message-engine'
import type { ChangesRequest } from './query-wire'
import { attempt, messageOf, reasonOf, withWorld } from './run-call'
import type { CallDeadline, QueryLimits, QuerySession } from './session'

interface HoldingPlan {
  readonly accounts: readonly bigint[]
  /** Contracts that may be tokens. */
  readonly contracts: readonly bigint[]
  readonly spenders: readonly bigint[]
  /** Numbered tokens that may change hands. */
  readonly numbers: readonly { readonly contract: bigint; readonly number: bigint }[]
}

/** One holding, addresses as `0x` hex and numbers as decimal texts; `value` in the form of its kind. */
interface Holding {
  readonly kind: 'lax' | 'token' | 'owner' | 'approved' | 'allowance' | 'operator'
  readonly account?: string
  readonly contract?: string
  readonly standard?: 'erc20' | 'erc721' | 'erc1155'
  readonly number?: string
  readonly spender?: string
  /** The contract that keeps the allowance, where that isn't the token. */
  readonly through?: string
}

/** A holding that differs. A null number of units = the contract gave no readable answer. */
interface HoldingChange extends Holding {
  readonly before: string | boolean | null
  readonly after: string | boolean | null
}

/** Asks a contract without changing anything; null without a readable answer. */
type AskContract = (to: bigint, data: Uint8Array) => Uint8Array | null

/** Answers by holding, in the order asked. */
interface Holdings {
  readonly values: ReadonlyMap<string, { readonly holding: Holding; readonly value: string | boolean | null }>
  /** Questions that weren't asked, since there were too many. */
  readonly leftOut: number
}

/** Questions of one side; each may run a contract. */
const MAX_QUESTIONS = 3_000
const PERMIT2 = 0x000000000022d473030f116ddee9f6b43ac78ba3n
const BALANCE_OF = '70a08231'
const BALANCE_OF_NUMBER = '00fdd58e'
const OWNER_OF = '6352211e'
const GET_APPROVED = '081812fc'
const ALLOWANCE = 'dd62ed3e'
const ALLOWANCE_OF_TOKEN = '927da105'
const IS_APPROVED_FOR_ALL = 'e985e9c5'
const SUPPORTS_INTERFACE = '01ffc9a7'
const ERC721 = 0x80ac58cdn << 224n
const ERC1155 = 0xd9b67a26n << 224n
const AMOUNT_BITS = 160

/** @param laxOf an account's balance as it counts here */
function readHoldings(plan: HoldingPlan, ask: AskContract, laxOf: (account: bigint) => bigint): Holdings {
  const reader = new HoldingReader(ask)
  for (const account of plan.accounts)
    reader.put({ kind: 'lax', account: addressHex(account) }, laxOf(account).toString())
  for (const contract of plan.contracts) reader.readContract(contract, plan)
  return reader
}

/** The holdings that differ, in the order asked. */
function holdingChanges(before: Holdings, after: Holdings): readonly HoldingChange[] {
  const keys = new Set([...before.values.keys(), ...after.values.keys()])
  return [...keys].flatMap((key) => {
    const [one, two] = [before.values.get(key), after.values.get(key)]
    const holding = one?.holding ?? two?.holding
    const [was, is] = [one?.value ?? null, two?.value ?? null]
    return holding === undefined || was === is ? [] : [{ ...holding, before: was, after: is }]
  })
}

class HoldingReader implements Holdings {
  readonly values = new Map<string, { readonly holding: Holding; readonly value: string | boolean | null }>()
  leftOut = 0
  #left = MAX_QUESTIONS

  constructor(private readonly ask: AskContract) {}

  put(holding: Holding, value: string | boolean | null): void {
    this.values.set(JSON.stringify(holding), { holding, value })
  }

  readContract(contract: bigint, plan: HoldingPlan): void {
    if (contract === PERMIT2) return void this.#readPermit2(plan)
    const numbers = plan.numbers.filter((each) => each.contract === contract).map(({ number }) => number)
    const isNumbered = this.#isTrue(contract, SUPPORTS_INTERFACE, [ERC721])
    const isMulti = isNumbered !== true && this.#isTrue(contract, SUPPORTS_INTERFACE, [ERC1155]) === true
    if (isMulti) this.#readMulti(contract, numbers, plan)
    else this.#readBalances(contract, isNumbered === true ? 'erc721' : 'erc20', plan)
    if (isNumbered === true) this.#readOwners(contract, numbers)
    if (isNumbered === true || isMulti) this.#readOperators(contract, plan)
  }

  #readBalances(contract: bigint, standard: 'erc20' | 'erc721', { accounts, spenders }: HoldingPlan): void {
    for (const account of accounts) {
      const of = { account: addressHex(account), contract: addressHex(contract) }
      const units = this.#number(contract, BALANCE_OF, [account])
      this.#putKnown({ kind: 'token', ...of, standard }, units)
      if (units === null || standard === 'erc721') continue
      for (const spender of spenders) {
        const allowed = this.#number(contract, ALLOWANCE, [account, spender])
        this.#putKnown({ kind: 'allowance', ...of, spender: addressHex(spender) }, allowed)
      }
    }
  }

  #readOwners(contract: bigint, numbers: readonly bigint[]): void {
    for (const number of numbers) {
      const holding = { contract: addressHex(contract), number: number.toString() }
      this.put({ kind: 'owner', ...holding }, partyIn(this.#number(contract, OWNER_OF, [number])))
      this.put({ kind: 'approved', ...holding }, partyIn(this.#number(contract, GET_APPROVED, [number])))
    }
  }

  #readMulti(contract: bigint, numbers: readonly bigint[], { accounts }: HoldingPlan): void {
    for (const account of accounts) {
      for (const number of numbers) {
        const of = { account: addressHex(account), contract: addressHex(contract), number: number.toString() }
        const units = this.#number(contract, BALANCE_OF_NUMBER, [account, number])
        this.#putKnown({ kind: 'token', standard: 'erc1155', ...of }, units)
      }
    }
  }

  #readOperators(contract: bigint, { accounts, spenders }: HoldingPlan): void {
    for (const account of accounts) {
      for (const spender of spenders) {
        const of = { account: addressHex(account), contract: addressHex(contract), spender: addressHex(spender) }
        this.#putKnown({ kind: 'operator', ...of }, this.#isTrue(contract, IS_APPROVED_FOR_ALL, [account, spender]))
      }
    }
  }

  /** Permit2 keeps allowances of all tokens; its first word is the amount. */
  #readPermit2({ accounts, contracts, spenders }: HoldingPlan): void {
    const through = addressHex(PERMIT2)
    for (const account of accounts) {
      for (const token of contracts.filter((contract) => contract !== PERMIT2)) {
        for (const spender of spenders) {
          const first = this.#number(PERMIT2, ALLOWANCE_OF_TOKEN, [account, token, spender])
          const of = { account: addressHex(account), contract: addressHex(token), spender: addressHex(spender) }
          const amount = first === null ? null : BigInt.asUintN(AMOUNT_BITS, first)
          this.#putKnown({ kind: 'allowance', ...of, through }, amount)
        }
      }
    }
  }

  /** Leaves out what the contract doesn't tell. */
  #putKnown(holding: Holding, value: bigint | boolean | null): void {
    if (value !== null) this.put(holding, typeof value === 'bigint' ? value.toString() : value)
  }

  #isTrue(contract: bigint, selector: string, words: readonly bigint[]): boolean | null {
    const answer = this.#number(contract, selector, words)
    return answer === null || answer > 1n ? null : answer === 1n
  }

  #number(contract: bigint, selector: string, words: readonly bigint[]): bigint | null {
    if (this.#left === 0) {
      this.leftOut += 1
      return null
    }
    this.#left -= 1
    const answer = this.ask(contract, dataOf(selector, words))
    return answer === null || answer.length < WORD ? null : bigintFromBytes(answer.subarray(0, WORD))
  }
}

/** Call data. @param selector four bytes in hex */
function dataOf(selector: string, words: readonly bigint[]): Uint8Array {
  return concatBytes(Buffer.from(selector, 'hex'), ...words.map((word) => bytesOfWord(word)))
}

/** Nobody is null. */
function partyIn(word: bigint | null): string | null {
  return word === null || word === 0n ? null : addressHex(word & ADDRESS_MASK)
}

/** `Transfer(address,address,uint256)`, of fungible and non-fungible tokens. */
const TRANSFER = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn
/** `Approval(address,address,uint256)`, of fungible and non-fungible tokens. */
const APPROVAL = 0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925n
/** `ApprovalForAll(address,address,bool)`. */
const APPROVAL_FOR_ALL = 0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31n
const LOG0 = 0xa0
const LOG3 = 0xa3
const LOG4 = 0xa4
/** More contracts than anyone is told of. */
const MAX_TOUCHED = 64

interface TokenMove {
  readonly contract: string
  readonly from: string
  readonly to: string
  /** Decimal. */
  readonly amount: string
  readonly isNumbered: boolean
}

interface TokenGrant {
  readonly contract: string
  readonly owner: string
  readonly spender: string
  readonly kind: 'units' | 'number' | 'all'
  /** Decimal. */
  readonly amount: string
}

/** The content of one log: a transfer, or an allowance. */
interface Told {
  readonly move?: TokenMove
  readonly grant?: TokenGrant
}

/** Reads standard events only; a contract may move tokens without emitting them, so an empty list proves nothing. */
class TokenTracer implements Tracer {
  readonly isSparse = true
  readonly told: Told[] = []
  /** Logs about anything else. */
  otherLogs = 0
  /** Contracts that were called, and those whose storage their code ran on, in order; 160 bits each. */
  readonly touched = new Set<bigint>()
  /** Counts at the start of each open call. */
  readonly #marks: { readonly told: number; readonly otherLogs: number }[] = []

  begin({ to }: CallStart): void {
    this.touched.add(to)
  }

  enter({ from, to }: CallStart): void {
    if (this.touched.size < MAX_TOUCHED) this.touched.add(from).add(to)
    this.#marks.push({ told: this.told.length, otherLogs: this.otherLogs })
  }

  exit({ error }: CallEnd): void {
    const mark = this.#marks.pop()
    if (error === null || mark === undefined) return
    this.told.length = mark.told
    this.otherLogs = mark.otherLogs
  }

  step({ frame, op, error }: Step): void {
    if (error !== null || op < LOG0 || op > LOG4) return
    const told = op >= LOG3 ? toldBy(frame, op === LOG4) : null
    if (told === null) this.otherLogs += 1
    else this.told.push(told)
  }
}

function toldBy(frame: Frame, hasNumber: boolean): Told | null {
  const [offset, length, topic, first, second, number] = [0, 1, 2, 3, 4, 5].map((depth) => frame.peek(depth))
  if (first === undefined || second === undefined) return null
  const amount = hasNumber ? number : wordAt(frame, offset ?? 0n, length ?? 0n)
  if (amount === null || amount === undefined) return null
  const contract = addressHex(frame.address)
  const [from, to] = [addressHex(first & ADDRESS_MASK), addressHex(second & ADDRESS_MASK)]
  const text = amount.toString()
  if (topic === TRANSFER) return { move: { contract, from, to, amount: text, isNumbered: hasNumber } }
  const grant = { contract, owner: from, spender: to }
  if (topic === APPROVAL) return { grant: { ...grant, kind: hasNumber ? 'number' : 'units', amount: text } }
  if (topic !== APPROVAL_FOR_ALL || hasNumber) return null
  return { grant: { ...grant, kind: 'all', amount: amount === 0n ? '0' : '1' } }
}

/** The log's data as one word; null when it isn't one. Memory that was never written is 0. */
function wordAt(frame: Frame, offset: bigint, length: bigint): bigint | null {
  if (length !== 32n) return null
  const word = new Uint8Array(32)
  word.set(frame.memory(Number(offset), 32))
  return bigintFromBytes(word)
}

/** Of each kind. */
const MAX_TOLD = 20
/** Characters of a reason: a contract may return megabytes. */
const MAX_REASON = 500
/** Contracts and spenders asked about: those named in the request first. */
const MAX_CONTRACTS = 16
const MAX_SPENDERS = 12
const MAX_NUMBERS = 64
/** Gas of one question to a contract: enough for a proxy, too little for a loop. */
const QUESTION_GAS = 150_000
const WORD = 32
/** Storage slots tried for one balance. */
const MAX_SLOTS = 32
/** What whoever fills an order has of everything: more than any order asks for. */
const PLENTY = 1n << 120n

/** Seconds until the next block, and what the second run changes besides; coinbase null = as in the head. */
const NEXT_BLOCK = { blocks: 1n, seconds: 13n, coinbase: null } as const
const OTHER_BLOCK = { blocks: 8n, seconds: 911n, coinbase: new Uint8Array(20).fill(0x5a) } as const

/** JSON text. Run in the next block and in a later, different one: a contract may behave only while watched. */
export function simulate(session: QuerySession, request: ChangesRequest, limits: QueryLimits): string {
  const block = session.blocks().find({ kind: 'tag', tag: 'latest' })
  const deadline = session.callDeadline(limits)
  const next = new Simulation({ session, block, request, deadline }, NEXT_BLOCK).run()
  const other = new Simulation({ session, block, request, deadline }, OTHER_BLOCK).run()
  const dependsOnBlock = JSON.stringify(next.effects) !== JSON.stringify(other.effects)
  return JSON.stringify({ block: Number(block.header.number), ...next.told, dependsOnBlock })
}

/** What the parties of a run gained, and its fee, in wei. */
interface Paid {
  readonly parties: readonly bigint[]
  readonly changes: readonly bigint[]
  readonly fee: bigint
  readonly from: bigint
}

class Simulation {
  readonly #header: StateBlock['header']
  readonly #tracer = new TokenTracer()

  constructor(
    private readonly input: {
      readonly session: QuerySession
      readonly block: StateBlock
      readonly request: ChangesRequest
      readonly deadline: CallDeadline
    },
    { blocks, seconds, coinbase }: typeof NEXT_BLOCK | typeof OTHER_BLOCK,
  ) {
    const head = input.block.header
    this.#header = {
      ...head,
      number: head.number + blocks,
      timestamp: head.timestamp + seconds,
      difficulty: coinbase === null ? head.difficulty : head.difficulty + 1n,
      coinbase: coinbase ?? head.coinbase,
    }
  }

  /** `told`, and what of it must be the same in any block: the fee isn't part of that. */
  run() {
    const { session, block, request } = this.input
    const world = session.newWorld(block)
    this.#prepare(world)
    const messages = request.calls.map(({ call }) => messageOf(call, session.options))
    const [first] = messages
    if (first === undefined) throw new RangeError('nothing to simulate')
    const parties = first.to === null || first.to === first.from ? [first.from] : [first.from, first.to]
    const before = parties.map((address) => world.account(address).balance)
    let fee = 0n
    let last: MessageResult | null = null
    for (const [index, { most }] of request.calls.entries()) {
      const message = this.#limited(world, messages[index] ?? first, most ?? null)
      const { applied } = this.#run(world, message, this.#tracer)
      if (applied.kind === 'refused') {
        const nothing = { gasUsed: 0, balances: [], ...listed([], 0), holdings: [], holdingsLeftOut: 0 }
        const told = { outcome: 'refused', reason: applied.reason, ...nothing }
        return { told, effects: told }
      }
      last = applied.result
      if (index === 0) fee = BigInt(last.gasUsed) * message.gasPrice
      world.finish()
      if (last.error !== null) break
    }
    if (last === null) throw new RangeError('nothing to simulate')
    const changes = parties.map((address, index) => world.account(address).balance - (before[index] ?? 0n))
    return this.#outcome(world, last, { parties, changes, fee, from: first.from })
  }

  #outcome(world: World, result: MessageResult, { parties, changes, fee, from }: Paid) {
    const { session, block } = this.input
    const coinbase = bigintFromBytes(this.#header.coinbase)
    const { told: events, otherLogs } = this.#tracer
    // The head's miner got the fee here; in reality the next block's miner will, so it doesn't count as a gain.
    const earned = (address: bigint): bigint => (address === coinbase ? fee : 0n)
    const spent = (address: bigint): bigint => (address === from ? fee : 0n)
    const said = {
      outcome: result.error === null ? 'succeeded' : 'reverted',
      reason: result.error === null ? '' : reasonOf(result).slice(0, MAX_REASON),
      ...(result.error === null ? listed(events, otherLogs) : listed([], 0)),
    }
    const balances = parties.map((address, index) => ({
      address: addressHex(address),
      change: ((changes[index] ?? 0n) - earned(address)).toString(),
    }))
    const moved = parties.map((address, i) => ((changes[i] ?? 0n) - earned(address) + spent(address)).toString())
    const plan = this.#plan()
    const lax = (address: bigint): bigint => world.account(address).balance - earned(address)
    const after = readHoldings(plan, this.#asking(world), lax)
    const untouched = session.newWorld(block)
    const before = readHoldings(plan, this.#asking(untouched), (address) => untouched.account(address).balance)
    const holdings = holdingChanges(before, after)
    const lasting = holdings.map((each) => (each.kind === 'lax' && each.account === addressHex(from) ? [] : each))
    return {
      told: { ...said, gasUsed: result.gasUsed, balances, holdings, holdingsLeftOut: after.leftOut },
      effects: { ...said, moved, lasting },
    }
  }

  /** Named parties first, then what the run came across. */
  #plan(): HoldingPlan {
    const { request } = this.input
    const { touched, told } = this.#tracer
    const parties = request.parties.map(bigintFromBytes)
    const senders = request.calls.map(({ call }) => (call.from === null ? 0n : bigintFromBytes(call.from)))
    const accounts = [...new Set(request.accounts.map(bigintFromBytes))]
    const known = told.flatMap(({ grant }) => (grant === undefined ? [] : [BigInt(grant.spender)]))
    const isContract = (address: bigint): boolean => address !== 0n && !BUILT_INS.has(address)
    const contracts = [...new Set([...parties, ...touched])].filter(isContract)
    const spenders = [...new Set([...parties, ...known, ...senders, ...touched])].filter(isContract)
    const numbers = told.flatMap((each) => numberIn(each)).slice(0, MAX_NUMBERS)
    return {
      accounts,
      contracts: contracts.slice(0, MAX_CONTRACTS),
      spenders: spenders.filter((each) => !accounts.includes(each)).slice(0, MAX_SPENDERS),
      numbers: [
        ...numbers,
        ...request.numbers.map(({ contract, number }) => ({ contract: bigintFromBytes(contract), number })),
      ],
    }
  }

  #prepare(world: World): void {
    const { request } = this.input
    for (const { address, slot, value } of request.slots) {
      world.replaceSlot(bigintFromBytes(address), bigintFromBytes(slot), bigintFromBytes(value))
    }
    if (request.funded === null) return
    const { account, tokens, spender } = request.funded
    const holder = bigintFromBytes(account)
    world.setBalance(holder, PLENTY)
    for (const token of tokens.map(bigintFromBytes)) {
      this.#fund(world, token, dataOf(BALANCE_OF, [holder]))
      this.#fund(world, token, dataOf(ALLOWANCE, [holder, bigintFromBytes(spender)]))
    }
    world.finish()
  }

  /** Finds the slot that a question reads by trying each one, and puts plenty there. */
  #fund(world: World, token: bigint, question: Uint8Array): void {
    const slots = new SlotTracer()
    this.#ask(world, token, question, slots)
    for (const { address, slot } of slots.read) {
      const snapshot = world.snapshot()
      world.replaceSlot(address, slot, PLENTY)
      const answer = this.#ask(world, token, question, null)
      if (answer !== null && answer.length === WORD && bigintFromBytes(answer) === PLENTY) return
      world.revert(snapshot)
    }
  }

  /** A word of the data lowered to what its owner has of a token. */
  #limited(world: World, message: Message, most: ChangesRequest['calls'][number]['most'] | null): Message {
    if (most === null || most === undefined) return message
    const owned = this.#ask(world, bigintFromBytes(most.token), dataOf(BALANCE_OF, [bigintFromBytes(most.owner)]), null)
    const units = owned === null || owned.length < WORD ? 0n : bigintFromBytes(owned.subarray(0, WORD))
    const data = Uint8Array.from(message.data)
    if (bigintFromBytes(data.subarray(most.at, most.at + WORD)) > units) data.set(bytesOfWord(units), most.at)
    return { ...message, data }
  }

  #asking(world: World): AskContract {
    return (to, data) => (world.account(to).hasCode ? this.#ask(world, to, data, null) : null)
  }

  #ask(world: World, to: bigint, data: Uint8Array, tracer: Tracer | null): Uint8Array | null {
    const message = { from: 0n, to, gas: QUESTION_GAS, gasPrice: 0n, value: 0n, data, accessList: [] }
    return withWorld(world, () => {
      const { applied } = this.#run(world, message, tracer)
      return applied.kind === 'done' && applied.result.error === null ? applied.result.output : null
    })
  }

  #run(world: World, message: Message, tracer: Tracer | null): Ran {
    const { session, block, deadline, request } = this.input
    // The signature isn't made yet: whoever recovers the signer of this digest gets the address in place of `r`.
    const run = { header: this.#header, base: block.base, world, message, tracer, signed: request.digest }
    return attempt(session, run, deadline)
  }
}

/** Storage that a run read, in the order of the reads. */
class SlotTracer implements Tracer {
  readonly isSparse = true
  readonly read: { readonly address: bigint; readonly slot: bigint }[] = []

  step({ frame, name }: Step): void {
    if (name !== 'SLOAD' || frame.height === 0 || this.read.length >= MAX_SLOTS) return
    this.read.push({ address: frame.address, slot: frame.peek(0) })
  }
}

function numberIn({ move, grant }: Told): readonly { readonly contract: bigint; readonly number: bigint }[] {
  const isMove = move?.isNumbered === true
  const found = isMove ? move : grant?.kind === 'number' ? grant : null
  return found === null ? [] : [{ contract: BigInt(found.contract), number: BigInt(found.amount) }]
}

function listed(told: readonly Told[], otherLogs: number) {
  const moves = told.flatMap(({ move }) => move ?? [])
  const grants = told.flatMap(({ grant }) => grant ?? [])
  return {
    tokens: moves.slice(0, MAX_TOLD),
    moreTokens: Math.max(0, moves.length - MAX_TOLD),
    grants: grants.slice(0, MAX_TOLD),
    moreGrants: Math.max(0, grants.length - MAX_TOLD),
    otherLogs,
  }
}
