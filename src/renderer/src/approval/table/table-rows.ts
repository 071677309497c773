// A payment table: rows with their own findings, shared findings once, exceptions first, the totals chosen. Pure.
import type { BalanceView } from '../../../../contract/node'
import { type Finding, type Severity, severityOf } from '../../widgets/incidents/SeverityList'
import type { AlikeGroup, Payment } from './alike'

export interface TableRow {
  readonly payment: Payment
  /** Without those that all rows share. */
  readonly findings: readonly Finding[]
  /** Over all its findings. */
  readonly worst: Severity
}

export type TableTotals = ReturnType<typeof totalsOf>

const ranks: Readonly<Record<Severity, number>> = { CRITICAL: 0, WARNING: 1, Info: 2 }

/** @param found all findings per payment, in the order of the payments */
export function paymentTable(payments: readonly Payment[], found: readonly (readonly Finding[])[]) {
  const counts = new Map<string, number>()
  for (const findings of found) {
    for (const key of new Set(findings.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const isShared = (finding: Finding): boolean => payments.length > 1 && counts.get(keyOf(finding)) === payments.length
  const rows = payments.map((payment, index): TableRow & { readonly rank: number } => {
    const all = found[index] ?? []
    // The row itself shows the signer's informational findings about a call.
    const own = all.filter((finding) => !isShared(finding) && (finding.isOwn === true || rankOf(finding) < ranks.Info))
    return { payment, findings: own, worst: worstOf(all), rank: Math.min(ranks.Info, ...own.map(rankOf)) }
  })
  rows.sort((a, b) => a.rank - b.rank || byNonce(a.payment, b.payment))
  return {
    shared: (found[0] ?? []).filter(isShared),
    rows: rows.map(({ rank: _rank, ...row }): TableRow => row),
  }
}

export function totalsOf(chosen: readonly Payment[]) {
  const sum = (pick: (payment: Payment) => bigint): bigint => chosen.reduce((all, each) => all + pick(each), 0n)
  return {
    count: chosen.length,
    receivers: new Set(chosen.map(({ receiver }) => receiver.toLowerCase())).size,
    amount: sum(({ amount }) => amount),
    fee: sum(({ fee }) => fee),
    cost: sum(({ cost }) => cost),
  }
}

/** The balance as one of the payments sees it: the others' nonces count as used if they are consecutive. */
export function balanceFor(payment: Payment, { payments }: Pick<AlikeGroup, 'payments'>, balance: BalanceView) {
  const nonceOf = ({ request }: Payment): string => request.transaction?.nonce ?? ''
  const others = new Set(payments.filter((other) => other !== payment).map(nonceOf))
  const own = nonceOf(payment)
  let next = BigInt(balance.nonce)
  while (next.toString() !== own && others.has(next.toString())) next += 1n
  return { ...balance, nonce: Number(next) }
}

/** Of several payments with one nonce, only one can ever be included. */
export function sharesNonce(payment: Payment, { payments }: Pick<AlikeGroup, 'payments'>): boolean {
  const nonce = payment.request.transaction?.nonce
  return payments.some((other) => other !== payment && other.request.transaction?.nonce === nonce)
}

function byNonce(a: Payment, b: Payment): number {
  const [one, two] = [a, b].map(({ request }) => BigInt(request.transaction?.nonce ?? 0))
  if (one === undefined || two === undefined || one === two) return 0
  return one < two ? -1 : 1
}

function rankOf({ severity }: Finding): number {
  return ranks[severityOf(severity)]
}

function worstOf(findings: readonly Finding[]): Severity {
  return findings.map(({ severity }) => severityOf(severity)).sort((a, b) => ranks[a] - ranks[b])[0] ?? 'Info'
}

function keyOf({ severity, message }: Finding): string {
  return `${severity} ${message}`
}
