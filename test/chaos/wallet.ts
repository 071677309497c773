// The user of a chaos run: requests payments and accounts without a pause, approves them, sends what was signed until
// it is accepted, and records all of it.
import { checksumAddress } from '../../src/base/checksum-address'
import { bytesOfHex, toHex } from '../../src/base/hex'
import type { WireClient } from '../../src/base/wire/client'
import type { Contract } from '../../src/contract/contract'
import type { RequestView } from '../../src/contract/signer'
import { keccak256 } from '../../src/node/codec/keccak'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { AnsweredError, type Victim } from './victim'

export interface Payment {
  readonly nonce: number
  /** 0x and 40 hex digits, used by this payment only. */
  readonly to: string
  readonly wei: bigint
  /** What was signed; null until the signer answered. */
  raw: string | null
  /** Hash, once the node accepted it. */
  hash: string | null
  isMined: boolean
}

export interface WalletOptions {
  readonly victim: Victim
  /** The account that pays; its key is in the program's keystore. */
  readonly from: string
  readonly password: string
  readonly fault: (text: string) => void
}

const PAUSE_MS = 1_000
const PAYMENTS_AN_ACCOUNT = 8
/** Payments that may wait for a block at once. */
const MAX_OPEN = 12
const VALUE_BASE = 1_000n
const quantity = (value: bigint | number): string => `0x${value.toString(16)}`
const sleep = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms))

export class Wallet {
  readonly payments: Payment[] = []
  /** Addresses that the signer returned. */
  readonly accounts: string[] = []
  /** Decisions that were answered with `signed`, by kind. */
  approvals = 0
  /** Requests that ended without an answer, and were sent again. */
  asksAgain = 0
  readonly #options: WalletOptions
  readonly #decided = new Set<string>()
  #isStopping = false
  #isPaid: Promise<void> = Promise.resolve()
  #isApproved: Promise<void> = Promise.resolve()
  #isOver = false
  #channel: WireClient<Contract> | null = null

  constructor(options: WalletOptions) {
    this.#options = options
  }

  start(): void {
    this.#isApproved = this.#approve()
    this.#isPaid = this.#pay()
  }

  /** Finishes the current payment first. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#isPaid
    this.#isOver = true
    await this.#channel?.close()
    await this.#isApproved
  }

  /**
   * After a start: whatever the node accepted is there, in a block or waiting. @param isJournalWhole otherwise they are
   * only sent again
   */
  async afterStart(isJournalWhole: boolean): Promise<void> {
    for (const payment of this.payments) {
      if (payment.isMined || payment.hash === null) continue
      try {
        const known = await this.#options.victim.node('eth_getTransactionByHash', [payment.hash])
        if (known !== null) continue
        if (isJournalWhole) this.#options.fault(`payment ${payment.nonce} was taken and is gone after a start`)
        payment.hash = null
      } catch {
        return // gone again: the next start checks
      }
    }
  }

  /** Checks which payments are in blocks, and resends what the node lost. */
  async settle(): Promise<void> {
    const { victim } = this.#options
    for (const payment of this.payments) {
      if (payment.isMined || payment.raw === null) continue
      try {
        if (payment.hash === null) await this.#send(payment)
        if (payment.hash === null) continue
        payment.isMined = (await victim.node('eth_getTransactionReceipt', [payment.hash])) !== null
      } catch {
        return
      }
    }
  }

  get open(): number {
    return this.payments.filter(({ isMined }) => !isMined).length
  }

  async #pay(): Promise<void> {
    while (!this.#isStopping) {
      await this.settle()
      if (this.open >= MAX_OPEN) {
        await sleep(PAUSE_MS)
        continue
      }
      const nonce = this.payments.length
      const to = checksumAddress(toHex(new TestWallet(payeeKey(nonce)).address))
      const payment: Payment = { nonce, to, wei: VALUE_BASE + BigInt(nonce), raw: null, hash: null, isMined: false }
      this.payments.push(payment)
      payment.raw = await this.#until(() => this.#sign(payment))
      if (nonce % PAYMENTS_AN_ACCOUNT === 0) {
        const made = await this.#until(async () => String(await this.#options.victim.signer('account_new')))
        this.accounts.push(made)
      }
      await sleep(PAUSE_MS)
    }
  }

  async #sign({ nonce, to, wei }: Payment): Promise<string> {
    const { victim, from } = this.#options
    const transaction = {
      from,
      to,
      nonce: quantity(nonce),
      value: quantity(wei),
      gas: quantity(21_000),
      gasPrice: quantity(10n ** 9n),
    }
    const answer = await victim.signer('account_signTransaction', [transaction])
    if (typeof answer !== 'object' || answer === null || !('raw' in answer)) throw new Error('no raw transaction')
    return String(answer.raw)
  }

  async #send(payment: Payment): Promise<void> {
    try {
      payment.hash = String(await this.#options.victim.node('eth_sendRawTransaction', [payment.raw]))
    } catch (error) {
      // It is in the pool, or already in a block: the previous answer was lost.
      const known = /already known|nonce too low/.test(String(error))
      if (!known && !(error instanceof AnsweredError)) throw error
      if (!known) return // a full disk, or a starting node: sent again at the next check
      payment.hash = hashOf(payment)
    }
  }

  /** Asks until there is an answer; asks again if the program is gone, or has no disk. */
  async #until(ask: () => Promise<string>): Promise<string> {
    for (;;) {
      try {
        return await ask()
      } catch {
        this.asksAgain += 1
        await sleep(PAUSE_MS)
      }
    }
  }

  /** One connection per life of the program, until the run is over. */
  async #approve(): Promise<void> {
    const { victim } = this.#options
    while (!this.#isOver) {
      try {
        const channel = await victim.channel()
        this.#channel = channel
        channel.on('signer.requests', ({ waiting }) => {
          for (const request of waiting) void this.#decide(channel, request)
        })
        await new Promise<void>((closed) => channel.onClose(() => closed()))
      } catch {
        // not there: tried again
      }
      await sleep(PAUSE_MS)
    }
  }

  async #decide(channel: WireClient<Contract>, { id, nonce, contentHash, lastError }: RequestView): Promise<void> {
    const attempt = `${id} ${lastError}`
    if (this.#decided.has(attempt)) return
    this.#decided.add(attempt)
    const password = Buffer.from(this.#options.password).toString('base64')
    const decision = { id, nonce, contentHash, decision: 'approve', password, accounts: null } as const
    const outcome = await channel.call('signer.decide', decision).catch(() => null)
    if (outcome?.state === 'signed') this.approvals += 1
    // No disk for the audit log: the request still waits, and is approved again.
    if (outcome?.state === 'waiting' || outcome === null) setTimeout(() => this.#decided.delete(attempt), PAUSE_MS)
  }
}

/** Payee for a nonce; no two are the same. */
function payeeKey(nonce: number): Uint8Array {
  const key = new Uint8Array(32).fill(0x33)
  new DataView(key.buffer).setUint32(28, nonce + 1)
  return key
}

function hashOf({ raw }: Payment): string {
  return toHex(keccak256(bytesOfHex(raw ?? '0x')))
}
