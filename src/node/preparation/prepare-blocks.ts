// The preparing thread's side: works through a job from its first block on, leaving out the senders that the executing
// thread has claimed.
import { rlpSlices } from '../codec/rlp'
import { decodeBlockBody, transactionRoot } from '../model/block'
import { RECOVERED_AT_ONCE, recoverAddresses, type SignedDigest, signedDigest } from '../model/sender'
import type { AnyTransaction } from '../model/transaction'
import type { PreparationJob } from './preparation-job'

/** Ends at the first bytes that aren't a block: the other thread reports them. */
export function prepareBlocks(job: PreparationJob): void {
  const senders = new Senders(job)
  let first = 0
  let index = 0
  for (const part of rlpSlices(job.bytes)) {
    const body = part.ok ? decodeBlockBody(part.value.encoded.slice()) : part
    if (!body.ok) break
    const transactions = body.value
    if (!job.hasRoomFor(index, first + transactions.length)) break
    const hashes = transactions.map((tx) => tx.hash)
    job.giveBlock(index, first, transactionRoot(transactions), hashes)
    senders.add(transactions, first)
    first += transactions.length
    index++
  }
  senders.recover()
}

class Senders {
  readonly #next: (readonly [index: number, digest: SignedDigest])[] = []

  constructor(private readonly job: PreparationJob) {}

  add(transactions: readonly AnyTransaction[], first: number): void {
    for (const [index, tx] of transactions.entries()) {
      const digest = signedDigest(tx, this.job.chainId)
      if (digest !== null) this.#next.push([first + index, digest])
      if (this.#next.length === RECOVERED_AT_ONCE) this.recover()
    }
  }

  recover(): void {
    const claimed = this.#next.filter(([index]) => this.job.claim(index))
    this.#next.length = 0
    const addresses = recoverAddresses(claimed.map(([, digest]) => digest))
    for (const [place, address] of addresses.entries()) {
      const [index] = claimed[place] ?? []
      if (index !== undefined && address !== null) this.job.giveAddress(index, address)
    }
  }
}
