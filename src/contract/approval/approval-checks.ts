// What a person is warned of before approving, besides the signer's findings: by what their node, their record of earlier
// signatures and the request itself say. Pure; each place that shows it has its own words.
import { looksLike } from '../../base/language/lookalike'
import type { BalanceView } from '../node'
import type { CallerView, FactsView, TransactionRequestView } from '../signer'
import type { SimulationView } from '../signer-tools'

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

/** What can be wrong. Each has its words in the window (`ui.check.NAME`) and in the terminal. */
export type CheckName =
  | 'chainId'
  | 'zeroAddress'
  | 'lookalike'
  | 'lookalikePaid'
  | 'noCode'
  | 'noContract'
  | 'dynamicFee'
  | 'reverted'
  | 'overdraft'
  | 'creation'
  | 'dependsOnBlock'
  | 'firstPayment'
  | 'firstCall'
  | 'firstTokens'
  | 'maxOfBalance'
  | 'replaces'
  | 'nonceGap'
  | 'nonceUsed'
  | 'priceHigh'
  | 'priceLow'
  | 'gasShort'
  | 'notSynced'
  | 'unknownCaller'
  | 'strangeOrigin'
  | 'manyRequests'
  | 'unchecked.all'
  | 'unchecked.history'
  | 'unchecked.node'
  | 'unchecked.addresses'
  | 'ownAccount'
  | 'method'

/** Values of a check by name. Amounts and prices are bigint wei; `price` and `usual` are prices of gas. */
type CheckValues = Readonly<Record<string, string | number | bigint>>

interface WeiWords {
  readonly amount: (wei: bigint) => string
  readonly price: (wei: bigint) => string
}

/** The values of a check with its wei in words. */
export function inWords({ values }: Check, words: WeiWords): Readonly<Record<string, string | number>> {
  const told = Object.entries(values).map(([name, value]) => {
    if (typeof value !== 'bigint') return [name, value] as const
    return [name, name === 'price' || name === 'usual' ? words.price(value) : words.amount(value)] as const
  })
  return Object.fromEntries(told)
}

/** What was found. */
export interface Check {
  readonly severity: 'CRITICAL' | 'WARNING' | 'Info'
  readonly name: CheckName
  readonly values: CheckValues
}

/** New receivers of one transaction that are named individually. */
const PAYEES_NAMED = 5
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** More requests in a minute than a person would make. */
const MANY_PER_MINUTE = 5

/** Of a document or a text, of which less is known than of a transaction. */
export function dataChecks({
  facts,
  isUnanswered,
  dependsOnBlock,
  caller,
}: Pick<CheckInput, 'facts' | 'isUnanswered' | 'dependsOnBlock' | 'caller'>): readonly Check[] {
  const lookalike = facts?.lookalike ?? null
  return [
    ...(lookalike === null ? [] : [critical('lookalikePaid', { address: lookalike })]),
    ...(facts?.codeless ?? []).map((address) => warning('noContract', { address })),
    ...uncheckedIn(facts, isUnanswered),
    ...when(dependsOnBlock === true, warning('dependsOnBlock')),
    ...when(isStrangeOrigin(caller), warning('strangeOrigin')),
  ]
}

/** What nobody could check is a finding, too. */
function uncheckedIn(facts: FactsView | null, isUnanswered: boolean): readonly Check[] {
  const failed: readonly Check[] = isUnanswered ? [warning('unchecked.all')] : []
  return [...failed, ...(facts?.unchecked ?? []).map((what) => warning(`unchecked.${what}`))]
}

/** Of a transaction, in the order CRITICAL, WARNING, Info. */
export function transactionChecks(input: CheckInput): readonly Check[] {
  const found = [
    ...destinationChecks(input),
    ...moneyChecks(input),
    ...nonceChecks(input),
    ...gasChecks(input),
    ...callerChecks(input),
    ...uncheckedIn(input.facts, input.isUnanswered),
  ]
  return order.flatMap((severity) => found.filter((each) => each.severity === severity))
}

const order = ['CRITICAL', 'WARNING', 'Info'] as const
const critical = (name: CheckName, values: CheckValues = {}): Check => ({ severity: 'CRITICAL', name, values })
const warning = (name: CheckName, values: CheckValues = {}): Check => ({ severity: 'WARNING', name, values })
const info = (name: CheckName, values: CheckValues = {}): Check => ({ severity: 'Info', name, values })
const when = (isSo: boolean, found: Check): readonly Check[] => (isSo ? [found] : [])

function destinationChecks(input: CheckInput): Check[] {
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
      critical('chainId', { asked: transaction.chainId, own: chainId ?? 0 }),
    ),
    ...when(to === ZERO_ADDRESS, critical('zeroAddress')),
    ...(ownLookalike === undefined ? [] : [critical('lookalike', { address: ownLookalike })]),
    ...(paidLookalike === null ? [] : [critical('lookalikePaid', { address: paidLookalike })]),
    ...when(isCall && facts?.node?.codeBytes === 0, critical('noCode')),
    ...when(transaction.maxFeePerGas !== null, critical('dynamicFee')),
    ...when(outcome === 'reverted', critical('reverted')),
    ...when(to === null, warning('creation')),
    ...when(input.dependsOnBlock === true, warning('dependsOnBlock')),
    ...paymentChecks(input, own),
    ...when(!isSynced, warning('notSynced')),
    ...when(isOwn, info('ownAccount')),
    ...(call === null ? [] : [info('method', { name: call.name })]),
  ]
}

/**
 * With tokens, the receiver of the tokens is paid, not their contract. A new receiver of a token that was used before
 * is the ordinary case, so it is noted without a warning.
 */
function paymentChecks({ transaction, facts }: CheckInput, own: readonly string[]): readonly Check[] {
  const to = transaction.to?.toLowerCase() ?? null
  const isNewHere = facts?.history?.count === 0
  const payees = facts?.payees ?? []
  const isCall = transaction.value === '0' && transaction.data !== '0x'
  const first = isCall ? 'firstCall' : 'firstPayment'
  if (payees.length === 0) return when(to !== null && !own.includes(to) && isNewHere, warning(first))
  const found = isNewHere ? warning : info
  return payees
    .filter(({ address, count }) => count === 0 && !own.includes(address.toLowerCase()))
    .slice(0, PAYEES_NAMED)
    .map(({ address }) => found('firstTokens', { address }))
}

/** Times the usual gas price. From the second on, and for a fee above 1% of the balance, the signer itself warns. */
const HIGH_PRICE = 5n
const ABSURD_PRICE = 10n

function moneyChecks({ transaction, balance }: CheckInput): readonly Check[] {
  if (balance === undefined) return []
  const cost = BigInt(transaction.value) + BigInt(transaction.maximumFee)
  const available = BigInt(balance.available)
  if (cost > available) {
    return [critical('overdraft', { cost, available })]
  }
  return when(BigInt(transaction.value) * 2n > available, warning('maxOfBalance'))
}

/** Names a transaction with the same nonce that waits in the pool: this one would replace it. */
function nonceChecks({ transaction, balance, facts }: CheckInput): readonly Check[] {
  const replaces = facts?.node?.replaces ?? null
  if (replaces !== null) {
    const { hash, to, value } = replaces
    return [warning('replaces', { hash, amount: BigInt(value), to: to ?? '–' })]
  }
  if (balance === undefined) return []
  const nonce = BigInt(transaction.nonce)
  const values = { nonce: transaction.nonce, next: balance.nonce }
  return [
    ...when(nonce > BigInt(balance.nonce), warning('nonceGap', values)),
    ...when(nonce < BigInt(balance.nonce), warning('nonceUsed', values)),
  ]
}

function gasChecks({ transaction, facts }: CheckInput): readonly Check[] {
  const node = facts?.node ?? null
  if (node === null) return []
  const price = BigInt(transaction.maxFeePerGas ?? transaction.gasPrice ?? 0)
  const usual = BigInt(node.gasPrice)
  const prices = { price, usual }
  const isShort = node.estimate !== null && BigInt(transaction.gas) < BigInt(node.estimate)
  return [
    ...when(price > HIGH_PRICE * usual && price < ABSURD_PRICE * usual, warning('priceHigh', prices)),
    ...when(2n * price < usual, warning('priceLow', prices)),
    ...when(isShort, warning('gasShort', { gas: transaction.gas, estimate: node.estimate ?? '' })),
  ]
}

function callerChecks({ caller, facts }: CheckInput): readonly Check[] {
  const perMinute = facts?.callerPerMinute ?? 0
  return [
    ...when(isUnknownCaller(caller), warning('unknownCaller')),
    ...when(isStrangeOrigin(caller), warning('strangeOrigin')),
    ...when(caller.transport !== 'app' && perMinute > MANY_PER_MINUTE, warning('manyRequests', { count: perMinute })),
  ]
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
