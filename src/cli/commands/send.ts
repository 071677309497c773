// send: a payment from an account of the running program, shown, approved and signed like any caller's, in the terminal.
import { visibleText } from '../../base/language/visible-text'
import { aborted } from '../../base/on-abort'
import { sleep } from '../../base/time'
import { formatDecimal } from '../../base/units'
import type { EventName, PayloadOf } from '../../base/wire/define'
import { ConfigError } from '../../config/errors'
import { AMOUNT_EXPECTED, parseAmount } from '../../config/values/amount'
import { checksumFault, payoutFault } from '../../config/values/payout-address'
import type { Contract } from '../../contract/contract'
import type { RequestView } from '../../contract/signer'
import { HostError } from '../../host/errors'
import type { CliCall } from '../call'
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes'
import { currentOf, type RunningProgram, withProgram } from '../running-program'
import { untilSignal } from '../stop-signals'
import { fileWords } from '../words'
import { approve, rejection } from './requests'

/** Between two looks for the receipt. */
const RECEIPT_MS = 500

/** What is sent: plain LAX, no call data. */
interface Payment {
  readonly from: string
  readonly to: string
  /** Decimal wei. */
  readonly value: string
  readonly data: string
}

/** A payment with what our node added. */
interface Prepared extends Payment {
  readonly nonce: number
  readonly gas: string
  readonly gasPrice: string
}

/** `headframe send FROM TO AMOUNT [--wait]`: 1 when nothing was sent, or it failed. @throws ConfigError, HostError */
export async function runSend(call: CliCall): Promise<number> {
  const payment = paymentOf(call)
  return withProgram(call, async (program) => {
    // A signal ends the question, and what was asked for is withdrawn.
    return untilSignal(call.world, async (signal) => {
      const sent = await send(call, program, { payment: await prepared(program, payment), signal })
      if (sent === null) return EXIT_FAILED
      return call.parsed.wait ? receiptOf(call, program, sent) : told(call, sent.hash)
    })
  })
}

function told({ parsed, world }: CliCall, hash: string): number {
  world.platform.standardOutput(parsed.json ? JSON.stringify({ hash }) : `sent: ${hash}`)
  return EXIT_DONE
}

/** @throws ConfigError CONFIG_UNEXPECTED_WORD, CONFIG_VALUE_INVALID */
function paymentOf({ parsed }: CliCall): Payment {
  const [from = '', to = '', amount = ''] = fileWords(parsed, { least: 3, most: 3, accepted: 'FROM TO AMOUNT' })
  const value = parseAmount(amount)
  const addresses = { from: accountOf('FROM', from), to: accountOf('TO', to) }
  if (value === null)
    throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'AMOUNT', value: amount, expected: AMOUNT_EXPECTED })
  return { ...addresses, value: value.toString(), data: '0x' }
}

/** Somebody's address, spelled right. */
function accountOf(where: string, text: string): string {
  const fault = payoutFault(text) ?? checksumFault(text)
  if (fault === null) return text
  throw new ConfigError('CONFIG_VALUE_INVALID', { where, value: text, expected: `somebody's address: ${fault}` })
}

/** @throws HostError HOST_SEND_WOULD_FAIL */
async function prepared({ client }: RunningProgram, payment: Payment): Promise<Prepared> {
  const { nonce, gas, gasPrice, problem } = await client.call('signer.draft', payment)
  if (problem !== '') throw new HostError('HOST_SEND_WOULD_FAIL', { reason: problem })
  return { ...payment, nonce, gas, gasPrice }
}

interface Asked {
  readonly payment: Prepared
  readonly signal: AbortSignal
}

interface Sent extends Asked {
  readonly hash: string
}

/** Null when it wasn't approved or signed; the reason has been printed. */
async function send(call: CliCall, program: RunningProgram, { payment, signal }: Asked): Promise<Sent | null> {
  const { standardError } = call.world.platform
  const lost = lossOf(program)
  const known = await currentOf(program, 'signer.requests')
  if (known === null) {
    const reason = 'the signer did not say which requests wait, so that the new one cannot be told apart'
    throw new HostError('HOST_NO_ANSWER', { dir: program.dataDir, reason })
  }
  const before = new Set(known.waiting.map(({ id }) => id))
  const { id } = await program.client.call('signer.send', payment)
  const settled = seen(program, 'signer.sends', ({ sends }) =>
    sends.find((each) => each.id === id && each.state !== 'waiting'),
  )
  const request = seen(program, 'signer.requests', ({ waiting }) =>
    waiting.find((each) => !before.has(each.id) && isOf(each, payment)),
  )
  const asked = await Promise.race([request, settled, lost])
  // A signal doesn't end the question by itself: it may come before the terminal hands over its keys.
  if ('kind' in asked) {
    const approved = approve(call, program, asked, 'the request is withdrawn')
    approved.catch(() => undefined) // told by the race, unless that has ended
    if ((await Promise.race([approved, aborted(signal), lost])) !== EXIT_DONE) {
      await program.client.call('signer.decide', rejection(asked)).catch(() => null) // it may have ended by itself
      return null
    }
  }
  const { state, hash, reason } = await Promise.race([settled, lost])
  if (state === 'sent' && hash !== null) return { hash, payment, signal }
  standardError(`not sent: ${state}${reason === '' ? '' : `: ${visibleText(reason)}`}`)
  return null
}

/** Rejects when the program ends: nobody else says what became of a payment. @throws HostError HOST_NO_ANSWER */
function lossOf({ client, dataDir }: RunningProgram): Promise<never> {
  const lost = new Promise<never>((_, reject) => {
    const reason = 'it ended before it said whether the payment was sent'
    client.onClose(() => reject(new HostError('HOST_NO_ANSWER', { dir: dataDir, reason })))
  })
  lost.catch(() => undefined) // it may also end when all is said
  return lost
}

/** The first that `find` sees in an event's values. */
function seen<N extends EventName<Contract>, T>(
  { client }: RunningProgram,
  event: N,
  find: (value: PayloadOf<Contract, N>) => T | undefined,
): Promise<T> {
  return new Promise((resolve) => {
    const held = client.on(event, (value) => {
      const found = find(value)
      if (found === undefined) return
      resolve(found)
      queueMicrotask(() => held.dispose())
    })
  })
}

/** Whether a request is of this program itself, and equal in all that was asked for. */
function isOf(
  { caller, transaction }: RequestView,
  { from, to, value, nonce, gas, gasPrice, data }: Prepared,
): boolean {
  if (caller.transport !== 'app' || transaction === null) return false
  const has = [transaction.from.toLowerCase(), transaction.to?.toLowerCase(), transaction.value, transaction.nonce]
  const rest = [transaction.gas, transaction.gasPrice, transaction.data]
  const wanted = [from.toLowerCase(), to.toLowerCase(), value, String(nonce), gas, gasPrice, data]
  return [...has, ...rest].join() === wanted.join()
}

/** Until it is in a block, another one has its place, or a signal. */
async function receiptOf(call: CliCall, { client, clock }: RunningProgram, sent: Sent): Promise<number> {
  const { hash, payment, signal } = sent
  const { standardOutput, standardError } = call.world.platform
  standardError(`sent: ${hash}; waiting for its block`)
  for (;;) {
    const { account } = await client.call('node.address', { address: payment.from })
    // After the nonce: a block between the two must not look like another transaction's.
    const { receipt } = await client.call('node.receipt', { hash })
    if (receipt !== null) {
      const { blockNumber, succeeded, fee } = receipt
      const text = `${succeeded ? 'done' : 'failed'} in block ${blockNumber}, fee ${formatDecimal(BigInt(fee))} LAX: ${hash}`
      standardOutput(call.parsed.json ? JSON.stringify({ hash, blockNumber, succeeded, fee }) : text)
      return succeeded ? EXIT_DONE : EXIT_FAILED
    }
    if (account !== null && BigInt(account.nonce) > BigInt(payment.nonce)) {
      standardError(`not done: another transaction of this account has nonce ${payment.nonce}`)
      return EXIT_FAILED
    }
    try {
      await sleep(clock, RECEIPT_MS, signal)
    } catch {
      standardError(`no longer waiting; it may still get into a block: ${hash}`)
      return EXIT_FAILED
    }
  }
}
