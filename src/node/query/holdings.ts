// What given accounts hold and allow, asked of the contracts themselves: before a run and after it. Nothing is taken
// from events, which a contract may leave out or make up; they only suggest what to ask about.
import { bigintFromBytes, concatBytes } from '../../base/bytes'
import { ADDRESS_MASK, bytesOfWord } from '../execution/word'
import { addressHex } from './encoding'

export interface HoldingPlan {
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
export type AskContract = (to: bigint, data: Uint8Array) => Uint8Array | null

/** Answers by holding, in the order asked. */
export interface Holdings {
  readonly values: ReadonlyMap<string, { readonly holding: Holding; readonly value: string | boolean | null }>
  /** Questions that weren't asked, since there were too many. */
  readonly leftOut: number
}

/** Questions of one side; each may run a contract. */
const MAX_QUESTIONS = 3_000
const PERMIT2 = 0x000000000022d473030f116ddee9f6b43ac78ba3n
const WORD = 32
export const BALANCE_OF = '70a08231'
const BALANCE_OF_NUMBER = '00fdd58e'
const OWNER_OF = '6352211e'
const GET_APPROVED = '081812fc'
export const ALLOWANCE = 'dd62ed3e'
const ALLOWANCE_OF_TOKEN = '927da105'
const IS_APPROVED_FOR_ALL = 'e985e9c5'
const SUPPORTS_INTERFACE = '01ffc9a7'
const ERC721 = 0x80ac58cdn << 224n
const ERC1155 = 0xd9b67a26n << 224n
const AMOUNT_BITS = 160

/** @param laxOf an account's balance as it counts here */
export function readHoldings(plan: HoldingPlan, ask: AskContract, laxOf: (account: bigint) => bigint): Holdings {
  const reader = new HoldingReader(ask)
  for (const account of plan.accounts)
    reader.put({ kind: 'lax', account: addressHex(account) }, laxOf(account).toString())
  for (const contract of plan.contracts) reader.readContract(contract, plan)
  return reader
}

/** The holdings that differ, in the order asked. */
export function holdingChanges(before: Holdings, after: Holdings): readonly HoldingChange[] {
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
export function dataOf(selector: string, words: readonly bigint[]): Uint8Array {
  return concatBytes(Buffer.from(selector, 'hex'), ...words.map((word) => bytesOfWord(word)))
}

/** Nobody is null. */
function partyIn(word: bigint | null): string | null {
  return word === null || word === 0n ? null : addressHex(word & ADDRESS_MASK)
}
