// Our own checks of a transaction, in addition to the signer's findings. Pure; the texts are ours.
import type { BalanceView } from '../../../../contract/node'
import type { CallerView, FactsView, TransactionRequestView } from '../../../../contract/signer'
import type { SimulationView } from '../../../../contract/signer-tools'
import type { Formatter } from '../../format/formatter'
import type { Text, TextKey, TextValues } from '../../i18n/text'
import type { Finding, Severity } from '../../widgets/incidents/SeverityList'

export interface CheckInput {
  readonly transaction: TransactionRequestView
  readonly caller: CallerView
  /** Of the running network; null while not known. */
  readonly chainId: number | null
  /** Of the signing account; undefined while not known. */
  readonly balance: BalanceView | undefined
  readonly ownAddresses: readonly string[]
  /** Result of the simulation; null without one. */
  readonly outcome: SimulationView['outcome'] | null
  /** Whether the simulation had another result in another block; missing = unknown. */
  readonly dependsOnBlock?: boolean | undefined
  /** What our node and our audit log know; null while not known. */
  readonly facts: FactsView | null
  /** Whether asking for them failed. */
  readonly isUnanswered: boolean
  /** False while our node is behind, or can't answer. */
  readonly isSynced: boolean
}

interface CheckWords {
  readonly t: Text
  readonly format: Formatter
}

interface Found {
  readonly severity: Severity
  readonly key: TextKey
  readonly values?: TextValues
}

/** New receivers of one transaction that are named individually. */
const PAYEES_NAMED = 5
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** More requests in a minute than a person would make. */
const MANY_PER_MINUTE = 5

/** The same for a document or a text, of which less is known. */
export function ownDataFindings(
  {
    facts,
    isUnanswered,
    dependsOnBlock,
    caller,
  }: Pick<CheckInput, 'facts' | 'isUnanswered' | 'dependsOnBlock' | 'caller'>,
  { t }: CheckWords,
): readonly Finding[] {
  const lookalike = facts?.lookalike ?? null
  const address = lookalike ?? ''
  return [
    ...(lookalike === null
      ? []
      : [{ severity: 'CRITICAL', message: t('ui.check.lookalikePaid', { address }), isOwn: true }]),
    ...(facts?.codeless ?? []).map((contract) => ({
      severity: 'WARNING',
      message: t('ui.check.noContract', { address: contract }),
      isOwn: true,
    })),
    ...uncheckedIn(facts, isUnanswered).map((key) => ({ severity: 'WARNING', message: t(key), isOwn: true })),
    ...(dependsOnBlock === true ? [{ severity: 'WARNING', message: t('ui.check.dependsOnBlock'), isOwn: true }] : []),
    ...(isStrangeOrigin(caller) ? [{ severity: 'WARNING', message: t('ui.check.strangeOrigin'), isOwn: true }] : []),
  ]
}

const uncheckedKeys = {
  history: 'ui.check.unchecked.history',
  node: 'ui.check.unchecked.node',
  addresses: 'ui.check.unchecked.addresses',
} as const

/** What nobody could check is a finding, too. */
function uncheckedIn(facts: FactsView | null, isUnanswered: boolean): readonly TextKey[] {
  const failed: readonly TextKey[] = isUnanswered ? ['ui.check.unchecked.all'] : []
  return [...failed, ...(facts?.unchecked ?? []).map((what) => uncheckedKeys[what])]
}

/** Findings marked as checked here, in the order CRITICAL, WARNING, Info. */
export function ownFindings(input: CheckInput, { t, format }: CheckWords): readonly Finding[] {
  const found = [
    ...destinationChecks(input),
    ...moneyChecks(input, format),
    ...nonceChecks(input, format),
    ...gasChecks(input, format),
    ...callerChecks(input),
    ...uncheckedIn(input.facts, input.isUnanswered).map((key) => warning(key)),
  ]
  return order.flatMap((severity) =>
    found
      .filter((each) => each.severity === severity)
      .map(({ key, values }) => ({ severity, message: t(key, values), isOwn: true })),
  )
}

const order: readonly Severity[] = ['CRITICAL', 'WARNING', 'Info']
const critical = (key: TextKey, values: TextValues = {}): Found => ({ severity: 'CRITICAL', key, values })
const warning = (key: TextKey, values: TextValues = {}): Found => ({ severity: 'WARNING', key, values })
const info = (key: TextKey, values: TextValues = {}): Found => ({ severity: 'Info', key, values })
const when = (isSo: boolean, found: Found): readonly Found[] => (isSo ? [found] : [])

function destinationChecks(input: CheckInput): Found[] {
  const { transaction, chainId, ownAddresses, outcome, facts, isSynced } = input
  const to = transaction.to?.toLowerCase() ?? null
  const own = ownAddresses.map((address) => address.toLowerCase())
  const isOwn = to !== null && own.includes(to)
  const ownLookalike = own.find((address) => to !== null && looksLike(to, address))
  const paidLookalike = isOwn || ownLookalike !== undefined ? null : (facts?.lookalike ?? null)
  const isCall = to !== null && transaction.data !== '0x'
  const { call } = transaction
  return [
    ...when(
      chainId !== null && transaction.chainId !== chainId,
      critical('ui.check.chainId', { asked: transaction.chainId, own: chainId ?? 0 }),
    ),
    ...when(to === ZERO_ADDRESS, critical('ui.check.zeroAddress')),
    ...(ownLookalike === undefined ? [] : [critical('ui.check.lookalike', { address: ownLookalike })]),
    ...(paidLookalike === null ? [] : [critical('ui.check.lookalikePaid', { address: paidLookalike })]),
    ...when(isCall && facts?.node?.codeBytes === 0, critical('ui.check.noCode')),
    ...when(transaction.maxFeePerGas !== null, critical('ui.check.dynamicFee')),
    ...when(outcome === 'reverted', critical('ui.check.reverted')),
    ...when(to === null, warning('ui.check.creation')),
    ...when(input.dependsOnBlock === true, warning('ui.check.dependsOnBlock')),
    ...paymentChecks(input, own),
    ...when(!isSynced, warning('ui.check.notSynced')),
    ...when(isOwn, info('ui.check.ownAccount')),
    ...(call === null ? [] : [info('ui.check.method', { name: call.name })]),
  ]
}

/**
 * With tokens, the receiver of the tokens is paid, not their contract. A new receiver of a token that was used before
 * is the ordinary case, so it is noted without a warning.
 */
function paymentChecks({ transaction, facts }: CheckInput, own: readonly string[]): readonly Found[] {
  const to = transaction.to?.toLowerCase() ?? null
  const isNewHere = facts?.history?.count === 0
  const payees = facts?.payees ?? []
  const isCall = transaction.value === '0' && transaction.data !== '0x'
  const first = isCall ? 'ui.check.firstCall' : 'ui.check.firstPayment'
  if (payees.length === 0) return when(to !== null && !own.includes(to) && isNewHere, warning(first))
  const found = isNewHere ? warning : info
  return payees
    .filter(({ address, count }) => count === 0 && !own.includes(address.toLowerCase()))
    .slice(0, PAYEES_NAMED)
    .map(({ address }) => found('ui.check.firstTokens', { address }))
}

/**
 * Multiples of the usual gas price. From 10 times up, and for a fee above 1% of the balance, the signer itself warns.
 */
const HIGH_PRICE = 5n
const ABSURD_PRICE = 10n

function moneyChecks({ transaction, balance }: CheckInput, format: Formatter): readonly Found[] {
  if (balance === undefined) return []
  const cost = BigInt(transaction.value) + BigInt(transaction.maximumFee)
  const available = BigInt(balance.available)
  if (cost > available) {
    return [critical('ui.check.overdraft', { cost: format.laxExact(cost), available: format.laxExact(available) })]
  }
  return when(BigInt(transaction.value) * 2n > available, warning('ui.check.maxOfBalance'))
}

/** Names a transaction with the same nonce that waits in the pool: this one would replace it. */
function nonceChecks({ transaction, balance, facts }: CheckInput, format: Formatter): readonly Found[] {
  const replaces = facts?.node?.replaces ?? null
  if (replaces !== null) {
    const { hash, to, value } = replaces
    const amount = format.laxExact(BigInt(value))
    return [warning('ui.check.replaces', { hash, amount, to: to ?? '–' })]
  }
  if (balance === undefined) return []
  const nonce = BigInt(transaction.nonce)
  const values = { nonce: transaction.nonce, next: balance.nonce }
  return [
    ...when(nonce > BigInt(balance.nonce), warning('ui.check.nonceGap', values)),
    ...when(nonce < BigInt(balance.nonce), warning('ui.check.nonceUsed', values)),
  ]
}

function gasChecks({ transaction, facts }: CheckInput, format: Formatter): readonly Found[] {
  const node = facts?.node ?? null
  if (node === null) return []
  const price = BigInt(transaction.maxFeePerGas ?? transaction.gasPrice ?? 0)
  const usual = BigInt(node.gasPrice)
  const prices = { price: format.gasPrice(price), usual: format.gasPrice(usual) }
  const isShort = node.estimate !== null && BigInt(transaction.gas) < BigInt(node.estimate)
  return [
    ...when(price > HIGH_PRICE * usual && price < ABSURD_PRICE * usual, warning('ui.check.priceHigh', prices)),
    ...when(2n * price < usual, warning('ui.check.priceLow', prices)),
    ...when(isShort, warning('ui.check.gasShort', { gas: transaction.gas, estimate: node.estimate ?? '' })),
  ]
}

function callerChecks({ caller, facts }: CheckInput): readonly Found[] {
  const perMinute = facts?.callerPerMinute ?? 0
  return [
    ...when(isUnknownCaller(caller), warning('ui.check.unknownCaller')),
    ...when(isStrangeOrigin(caller), warning('ui.check.strangeOrigin')),
    ...when(
      caller.transport !== 'app' && perMinute > MANY_PER_MINUTE,
      warning('ui.check.manyRequests', { count: perMinute }),
    ),
  ]
}

const SIMILAR_DIGITS = 8

/** A different address with 8 equal digits at the front and the end together. */
function looksLike(address: string, known: string): boolean {
  if (address === known) return false
  const digits = [...address.slice(2)].map((digit, index) => digit === known[2 + index])
  const front = digits.indexOf(false)
  const end = digits.length - 1 - digits.lastIndexOf(false)
  return front + end >= SIMILAR_DIGITS
}

/** Nothing but the transport is known. */
function isUnknownCaller({ transport, userAgent, origin, process }: CallerView): boolean {
  return transport !== 'app' && userAgent === '' && origin === '' && process === null
}

/** Programs that open web pages, by the name of their file or process. */
const BROWSERS =
  /(?:chrom|firefox|librewolf|waterfox|tor-?browser|geckomain|brave|opera|vivaldi|msedge|edge|safari|webkit|epiphany|falkon|qutebrowser|konqueror|midori|electron|headframe)/i

/** It names a web page, which only a browser's requests come from. */
function isStrangeOrigin({ origin, process }: CallerView): boolean {
  if (origin === '' || process === null) return false
  const file = (process.path ?? '').split('/').at(-1) ?? ''
  return !BROWSERS.test(process.name) && !BROWSERS.test(file)
}
