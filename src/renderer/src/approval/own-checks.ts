// What this program checks about a transaction by itself, beside the signer's findings. Pure; the texts are ours.
import type { BalanceView } from '../../../contract/node'
import type { CallerView, TransactionRequestView } from '../../../contract/signer'
import type { SimulationView } from '../../../contract/signer-desk'
import type { Finding, Severity } from '../components/SeverityList'
import type { Formatter } from '../format/formatter'
import type { Text, TextKey, TextValues } from '../i18n/text'

export interface CheckInput {
  readonly transaction: TransactionRequestView
  readonly caller: CallerView
  /** Of the running network; null while not known. */
  readonly chainId: number | null
  /** Of the signing account; undefined while not known. */
  readonly balance: BalanceView | undefined
  readonly ownAddresses: readonly string[]
  /** Of the simulation; null without one. */
  readonly outcome: SimulationView['outcome'] | null
}

export interface CheckWords {
  readonly t: Text
  readonly format: Formatter
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** Findings marked as checked here, in the order CRITICAL, WARNING, Info. */
export function ownFindings(input: CheckInput, { t, format }: CheckWords): readonly Finding[] {
  const found: Finding[] = []
  const add = (severity: Severity, key: TextKey, values?: TextValues): void =>
    void found.push({ severity, message: t(key, values), isOwn: true })
  const { transaction, balance } = input
  const to = transaction.to?.toLowerCase() ?? null
  const cost = BigInt(transaction.value) + BigInt(transaction.maximumFee)
  const available = balance === undefined ? null : BigInt(balance.available)

  if (input.chainId !== null && transaction.chainId !== input.chainId)
    add('CRITICAL', 'ui.check.chainId', { asked: transaction.chainId, own: input.chainId })
  if (to === ZERO_ADDRESS) add('CRITICAL', 'ui.check.zeroAddress')
  const lookalike = input.ownAddresses.find((address) => to !== null && looksLike(to, address.toLowerCase()))
  if (lookalike !== undefined) add('CRITICAL', 'ui.check.lookalike', { address: lookalike })
  if (transaction.maxFeePerGas !== null) add('CRITICAL', 'ui.check.dynamicFee')
  if (available !== null && cost > available)
    add('CRITICAL', 'ui.check.overdraft', { cost: format.laxExact(cost), available: format.laxExact(available) })
  else if (available !== null && BigInt(transaction.value) * 2n > available) add('WARNING', 'ui.check.mostOfBalance')
  if (input.outcome === 'reverted') add('CRITICAL', 'ui.check.reverted')
  if (to === null) add('WARNING', 'ui.check.creation')
  const nonce = BigInt(transaction.nonce)
  if (balance !== undefined && nonce > BigInt(balance.nonce))
    add('WARNING', 'ui.check.nonceGap', { nonce: transaction.nonce, next: balance.nonce })
  if (balance !== undefined && nonce < BigInt(balance.nonce))
    add('WARNING', 'ui.check.nonceUsed', { nonce: transaction.nonce, next: balance.nonce })
  if (isUnknownCaller(input.caller)) add('WARNING', 'ui.check.unknownCaller')
  if (to !== null && input.ownAddresses.some((address) => address.toLowerCase() === to))
    add('Info', 'ui.check.ownAccount')
  return found
}

/** Same first and last four digits, but another address. */
function looksLike(address: string, known: string): boolean {
  if (address === known) return false
  return address.slice(2, 6) === known.slice(2, 6) && address.slice(-4) === known.slice(-4)
}

/** Nothing but the transport is known. */
export function isUnknownCaller(caller: CallerView): boolean {
  return caller.transport !== 'app' && caller.userAgent === '' && caller.origin === ''
}
