// Findings about effects: severity and sentence of each. The only place that determines severity.
import { checksumAddress } from '../../base/checksum-address'
import type { LowerAddress } from '../../base/hex'
import { formatDecimal } from '../../base/units'
import { bySeverity, type Finding, type Severity } from '../model/findings'
import { type Effect, isUnlimited, MAX_DATE_S } from './effect'
import { isGift } from './typed-effects'

/** Maximum sentences per request; further ones are counted in one more. */
const MAX_FINDINGS = 12

/**
 * One WARNING about what isn't understood; none when everything is.
 * @param unknown the parts, in plain words
 * @param isPartly whether other findings say what is known
 */
export function understandingFindings(unknown: readonly string[], isPartly: boolean): readonly Finding[] {
  if (unknown.length === 0) return []
  const rest = isPartly ? 'The other facts shown are only part of what it does' : "What it does isn't known"
  const message = `Not understood: ${unknown.join('; ')}. ${rest}`
  return [{ severity: 'WARNING', message }]
}

/** Null: nothing to report beyond what is displayed anyway. @param account see effectFindings */
function severityOf(effect: Effect, account: LowerAddress | null): Severity | null {
  const { kind, form, amount, detail, from, depth, isHidden } = effect
  switch (kind) {
    case 'grant':
      return isUnlimited(amount) ? 'CRITICAL' : 'WARNING'
    case 'control':
    case 'unreadable':
      return 'CRITICAL'
    case 'order':
      return isGift(effect) ? 'CRITICAL' : 'WARNING'
    case 'vote':
    case 'proceeds':
      return 'WARNING'
    case 'transfer':
    case 'payment':
      // The account's own are displayed anyway, as is what the call itself moves; what a wallet pays or moves isn't.
      if (form === 'call' && !isHidden && (from === null || from === account || (kind === 'transfer' && depth === 0)))
        return null
      return isUnlimited(amount) ? 'CRITICAL' : 'WARNING'
    case 'unknown':
      return detail === '' ? null : 'WARNING'
    default:
      return null
  }
}

/**
 * The worst first; duplicates removed.
 * @param account that signs, lower case: what it gets itself is no finding; null = unknown
 */
export function effectFindings(effects: readonly Effect[], account: LowerAddress | null = null): readonly Finding[] {
  const found = effects.flatMap((effect): readonly Finding[] => {
    const isGain = effect.kind === 'proceeds' || effect.isHidden
    if (isGain && effect.to !== null && effect.to === account) return []
    const severity = severityOf(effect, account)
    return severity === null ? [] : [{ severity, message: sentenceOf(effect) }]
  })
  const once = [...new Map(found.map((finding) => [finding.message, finding])).values()]
  const sorted = bySeverity(once)
  const left = sorted.slice(MAX_FINDINGS)
  const [worst] = left
  if (worst === undefined) return sorted
  return [
    ...sorted.slice(0, MAX_FINDINGS),
    { severity: worst.severity, message: `${left.length} more effects like these` },
  ]
}

function sentenceOf(effect: Effect): string {
  return `${openingOf(effect)} ${deedOf(effect)}${endOf(effect)}`
}

function openingOf({ form, depth, kind, source }: Effect): string {
  if (form === 'call') return depth === 0 ? 'It' : 'A call inside it'
  if (kind === 'unreadable' || kind === 'unknown') return 'The document'
  // A type's name is the caller's own text: only a plain one is repeated.
  const name = /^[A-Za-z]\w{0,39}$/.test(source) ? ` (${source})` : ''
  return depth === 0 ? `Anyone with this signature${name}` : `Anyone with this signature (inside it${name})`
}

function deedOf(effect: Effect): string {
  const { kind, form, to, detail } = effect
  const who = to === null ? 'someone' : checksumAddress(to)
  const verb = (call: string, signature: string): string => (form === 'call' ? call : signature)
  switch (kind) {
    case 'grant':
      return `${verb('lets', 'can let')} ${who} take ${amountOf(effect)} ${tokenOf(effect)} from ${ownerOf(effect)}${note(effect)}`
    case 'transfer':
    case 'payment':
      return `${verb('moves', 'can move')} ${`${amountOf(effect)} ${tokenOf(effect)}`.trimEnd()} from ${ownerOf(effect)} to ${who}${note(effect)}`
    case 'proceeds':
      return `${verb('gives', 'can give')} what comes out of it to ${who}, not to the account${note(effect)}`
    case 'control':
      return controlOf(effect)
    case 'order':
      return `can take ${amountOf(effect)} ${tokenOf(effect)} from ${ownerOf(effect)}${detail === '' ? '' : `; ${detail}`}`
    case 'vote':
      return `${verb('lets', 'can let')} ${who} vote with the tokens of ${ownerOf(effect)}`
    default:
      return detail
  }
}

function note({ amount, detail }: Effect): string {
  return detail === '' || amount === 'number' ? '' : `, ${detail}`
}

function controlOf({ form, to, contract, detail }: Effect): string {
  const what = contract === null ? 'a contract' : checksumAddress(contract)
  const verb = form === 'call' ? 'changes' : 'can change'
  return `${verb} who controls ${what}: ${to === null ? '' : `${checksumAddress(to)} `}${detail}`
}

function amountOf({ kind, amount, id, detail }: Effect): string {
  if (id !== undefined) return `token number ${id}`
  if (kind === 'payment' && typeof amount === 'bigint') return `${formatDecimal(amount)} LAX`
  if (amount === 'all') return 'all'
  if (amount === 'number') return detail
  if (amount === null) return 'an unknown amount'
  return isUnlimited(amount) ? 'an unlimited amount' : `up to ${amount} units`
}

function tokenOf({ kind, contract, isCallee, amount, id }: Effect): string {
  if (kind === 'payment') return typeof amount === 'bigint' ? '' : 'LAX'
  const of = amount === 'number' || id !== undefined ? 'at' : 'of'
  if (isCallee) return `${of} this token`
  return contract === null ? `${of} a token` : `${of} the token ${checksumAddress(contract)}`
}

function ownerOf({ from }: Effect): string {
  return from === null ? 'the account' : checksumAddress(from)
}

/** What protocols write for no end where a date has 32 bits. */
const NO_ENDS = [0xffff_ffffn, 0x7fff_ffffn]

function endOf({ until, kind }: Effect): string {
  if (until === null || kind === 'revocation') return ''
  if (until > MAX_DATE_S || NO_ENDS.includes(until)) return ', without an end'
  const seconds = until < 0n ? 0 : Number(until)
  return `, until ${new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
