// The thread beside the chain worker that prepares blocks; it only gets the memory of jobs.
import { cpus } from 'node:os'
import { type MessagePort, Worker } from 'node:worker_threads'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { rlpSlices } from '../codec/rlp'
import { decodeBlockBody, transactionRoot } from '../model/block'
import { RECOVERED_AT_ONCE, recoverAddresses, type SignedDigest, signedDigest } from '../model/sender'
import type { AnyTransaction } from '../model/transaction'
import { BlockPreparation, type PreparationThread } from '../preparation/block-preparation'
import { PreparationJob } from '../preparation/preparation-job'

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

/** It holds little for long: with V8's 48 MiB it would fill up to 40 between two collections. */
const YOUNG_MIB = 6

interface PreparationThreadOptions {
  /** absolute path of the thread's program */
  readonly entry: string
  readonly log: Logger
}

/** Null when a second thread gains nothing: the computer has one processor. */
export function openBlockPreparation(chainId: bigint, options: PreparationThreadOptions): BlockPreparation | null {
  if (cpus().length < 2) return null
  const open = (onLost: () => void): PreparationThread | null => {
    try {
      return openPreparationThread(options, onLost)
    } catch (error: unknown) {
      sayFailed(options.log, error)
      return null
    }
  }
  return new BlockPreparation({ chainId, open })
}

/** @throws Error when the system can't start a thread */
export function openPreparationThread({ entry, log }: PreparationThreadOptions, onLost: () => void): PreparationThread {
  const worker = new Worker(entry, {
    name: 'headframe-preparation',
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  })
  worker.unref()
  worker.on('error', (error) => {
    sayFailed(log, error)
    onLost()
  })
  return {
    post: (job) => worker.postMessage(job.memory),
    close: async () => {
      await worker.terminate()
    },
  }
}

function sayFailed(log: Logger, error: unknown): void {
  log.warn('blocks are no longer prepared ahead: the thread failed', { error: messageOf(error) })
}

/** The thread's program. @param port to the thread that started it */
export function servePreparation(port: MessagePort): void {
  port.on('message', (memory: unknown) => {
    if (memory instanceof SharedArrayBuffer) prepareBlocks(new PreparationJob(memory))
  })
}
