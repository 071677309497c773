// The waiting requests by caller, riskiest first, and what each of them is about in a few words.
import { callerKey } from '../../../base/limits/caller-key'
import type { CallerView, RequestView, TransactionRequestView } from '../../../contract/signer'
import { isAddress } from '../format/bytes-text'
import type { Text, TextKey } from '../i18n/text'
import { severityOf } from '../widgets/incidents/SeverityList'
import { meaningOf } from './request/typed-meaning'

/** What a request is about, as counted in the queue. */
export type RequestSort =
  | 'payment'
  | 'tokens'
  | 'allowance'
  | 'contractCall'
  | 'creation'
  | 'message'
  | 'document'
  | 'listing'
  | 'newAccount'

export interface CallerGroup {
  readonly key: string
  readonly caller: CallerView
  /** Riskiest first, then oldest first. */
  readonly requests: readonly RequestView[]
  readonly worst: 'CRITICAL' | 'WARNING' | 'Info'
  /** Count of each sort, most frequent first. */
  readonly sorts: readonly (readonly [RequestSort, number])[]
  /** Wei that all of them would send, without fees. */
  readonly value: bigint
}

const RANK = { CRITICAL: 0, WARNING: 1, Info: 2 } as const

/** Own requests first, then callers by their worst finding, then by their oldest request. */
export function callerGroups(waiting: readonly RequestView[]): readonly CallerGroup[] {
  const byCaller = new Map<string, RequestView[]>()
  for (const request of waiting) {
    const key = callerKey(request.caller)
    byCaller.set(key, [...(byCaller.get(key) ?? []), request])
  }
  const groups = [...byCaller].flatMap(([key, requests]) => {
    const [first] = requests
    return first === undefined ? [] : [groupOf(key, first.caller, requests)]
  })
  const rank = ({ caller, worst }: CallerGroup): number => (caller.transport === 'app' ? -1 : RANK[worst])
  return groups
    .map((group, order) => ({ group, order }))
    .sort((one, other) => rank(one.group) - rank(other.group) || one.order - other.order)
    .map(({ group }) => group)
}

function groupOf(key: string, caller: CallerView, requests: readonly RequestView[]): CallerGroup {
  const counts = new Map<RequestSort, number>()
  for (const request of requests) counts.set(sortOf(request), (counts.get(sortOf(request)) ?? 0) + 1)
  const sorted = requests
    .map((request, order) => ({ request, order }))
    .sort((one, other) => riskOf(one.request) - riskOf(other.request) || one.order - other.order)
    .map(({ request }) => request)
  return {
    key,
    caller,
    requests: sorted,
    worst: (['CRITICAL', 'WARNING', 'Info'] as const)[riskOf(sorted[0])] ?? 'CRITICAL',
    sorts: [...counts].sort((one, other) => other[1] - one[1]),
    value: requests.reduce((sum, { transaction }) => sum + BigInt(transaction?.value ?? 0), 0n),
  }
}

/** What isn't understood ranks like a warning, at least. */
function riskOf(request: RequestView | undefined): number {
  if (request === undefined) return RANK.Info
  const found = request.findings.map(({ severity }) => RANK[severityOf(severity)])
  const unclear = (request.notUnderstood ?? []).length > 0 ? [RANK.WARNING] : []
  return Math.min(RANK.Info, ...found, ...unclear)
}

const GRANTS: ReadonlySet<string> = new Set([
  'approve(address,uint256)',
  'increaseAllowance(address,uint256)',
  'setApprovalForAll(address,bool)',
])
const MOVES: ReadonlySet<string> = new Set(['transfer(address,uint256)', 'transferFrom(address,address,uint256)'])

export function sortOf({ kind, transaction }: RequestView): RequestSort {
  if (transaction === null)
    return kind === 'listing' || kind === 'newAccount' ? kind : kind === 'signTypedData' ? 'document' : 'message'
  if (transaction.to === null) return 'creation'
  if (transaction.data === '0x') return 'payment'
  const signature = transaction.call?.signature ?? ''
  if (GRANTS.has(signature)) return 'allowance'
  return MOVES.has(signature) ? 'tokens' : 'contractCall'
}

export interface PreviewWords {
  readonly t: Text
  /** Wei as an exact amount. */
  readonly lax: (wei: bigint) => string
  /** A whole number, such as smallest units of a token, in groups of digits. */
  readonly everyDigit: (units: string) => string
  /** An address as its saved name, or shortened. */
  readonly party: (address: string) => string
}

/** Characters of a preview. */
const MAX_PREVIEW = 90
/** An amount greater than anyone can own counts as unlimited. */
export const HALF_OF_ALL = 2n ** 255n

/** The request in one line; foreign text, empty where there is nothing to say beyond its sort. */
export function previewOf(request: RequestView, words: PreviewWords): string {
  const { transaction, data } = request
  if (transaction !== null) return transactionPreview(transaction, words)
  if (data === null) return ''
  const text = data.text ?? documentPreview(request, words)
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > MAX_PREVIEW ? `${line.slice(0, MAX_PREVIEW)}…` : line
}

/** Whom the call lets take all of a token; null if it lets nobody do so. */
export function takerOfAll(call: TransactionRequestView['call']): string | null {
  if (call === null || !GRANTS.has(call.signature)) return null
  const [spender = '', amount = ''] = call.arguments.map(({ value }) => value)
  const isAny = call.signature.startsWith('set')
    ? amount === 'true'
    : /^\d+$/.test(amount) && BigInt(amount) >= HALF_OF_ALL
  return isAny ? spender : null
}

function transactionPreview(transaction: TransactionRequestView, { t, lax, everyDigit, party }: PreviewWords): string {
  const { to, value, call } = transaction
  if (to === null) return t('ui.approval.creation')
  const spent = BigInt(value)
  const args = call?.arguments.map(({ value: text }) => text) ?? []
  const signature = call?.signature ?? ''
  if (GRANTS.has(signature)) {
    const [spender = '', amount = ''] = args
    const key: TextKey = takerOfAll(call) === null ? 'ui.queue.grant' : 'ui.queue.grantAll'
    return t(key, { amount: everyDigit(amount), spender: party(spender), token: party(to) })
  }
  if (MOVES.has(signature)) {
    const receiver = args.at(-2) ?? ''
    return t('ui.queue.tokens', { amount: everyDigit(args.at(-1) ?? ''), to: party(receiver), token: party(to) })
  }
  if (transaction.data === '0x' || spent > 0n) return t('ui.queue.pay', { amount: lax(spent), to: party(to) })
  return t('ui.queue.call', { name: call?.name ?? transaction.data.slice(0, 10), to: party(to) })
}

function documentPreview({ data }: RequestView, { t, lax, everyDigit, party }: PreviewWords): string {
  if (data === null) return ''
  if (data.form === 'text') return t('ui.approval.notText')
  const meaning = data.form === 'typed' ? meaningOf(data.messages, { lax, everyDigit }) : null
  if (meaning !== null) {
    const named = Object.entries(meaning.values).map(([name, text]) => [name, isAddress(text) ? party(text) : text])
    return t(meaning.key, Object.fromEntries(named))
  }
  return data.messages.find(({ type }) => type === 'primary type')?.name ?? ''
}
