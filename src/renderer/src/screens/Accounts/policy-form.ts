// A policy as form fields, parsed exactly; and the sentence that describes what it allows.
import { DAY_MS } from '../../../../base/time'
import { LAX_DECIMALS } from '../../../../base/units'
import type { PolicyMethod, PolicyView } from '../../../../contract/signer-tools'
import { isAddress, isMisspelled } from '../../format/bytes-text'
import { parseAmount } from '../../format/parse-amount'
import type { TextKey } from '../../i18n/text'

export interface PolicyDraft {
  readonly name: string
  readonly account: string
  /** One address per line; empty = any. */
  readonly recipients: string
  readonly most: string
  readonly fee: string
  readonly hours: string
  readonly perPeriod: string
  /** Contract of a token that may also be sent; empty = LAX only. */
  readonly token: string
  /** Methods of the token that may be called. */
  readonly tokenMethods: readonly PolicyMethod[]
  /** Smallest units. */
  readonly tokenMost: string
  readonly tokenPerPeriod: string
  /** Days from now; empty = never expires. */
  readonly days: string
  /** Which callers it applies to: anyone, this program's own form, programs on the local socket, a page. */
  readonly caller: CallerChoice
  /** Of the page. */
  readonly origin: string
}

export const callerChoices = ['any', 'app', 'ipc', 'http', 'page'] as const
type CallerChoice = (typeof callerChoices)[number]

export const EMPTY_DRAFT: PolicyDraft = {
  name: '',
  account: '',
  recipients: '',
  most: '',
  fee: '0.01',
  hours: '24',
  perPeriod: '',
  token: '',
  tokenMethods: ['transfer'],
  tokenMost: '',
  tokenPerPeriod: '',
  days: '30',
  caller: 'any',
  origin: '',
}

/** The policy's callers; undefined if the page isn't an origin (`https://host` with an optional port). */
function callersOf({ caller, origin }: PolicyDraft): PolicyView['callers'] | undefined {
  if (caller === 'any') return null
  if (caller === 'http') return [{ scheme: 'http', origin: '' }]
  if (caller !== 'page') return [{ scheme: caller, origin: null }]
  const text = origin.trim()
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+$/.test(text) ? [{ scheme: 'http', origin: text }] : undefined
}

/** The policy, or the text key of the draft's mistake. */
export function policyOf(
  draft: PolicyDraft,
  { id, now }: { readonly id: string; readonly now: number },
): PolicyView | TextKey {
  const recipients = lines(draft.recipients)
  const [most, fee, perPeriod] = [draft.most, draft.fee, draft.perPeriod].map((text) => parseAmount(text, LAX_DECIMALS))
  const hours = parseAmount(draft.hours, 0)
  const days = draft.days.trim() === '' ? null : parseAmount(draft.days, 0)
  if (draft.name.trim() === '') return 'ui.policy.needName'
  if (!isAddress(draft.account)) return 'ui.policy.needAccount'
  if (!recipients.every(isAddress)) return 'ui.policy.needRecipients'
  if (recipients.some(isMisspelled) || isMisspelled(draft.token.trim())) return 'ui.send.misspelled'
  if (most == null || fee == null || perPeriod == null) return 'ui.policy.needAmounts'
  if (hours === null || hours < 1n || hours > 8_760n) return 'ui.policy.needHours'
  const callers = callersOf(draft)
  if (callers === undefined) return 'ui.policy.needOrigin'
  const tokens = tokensOf(draft, Number(hours))
  if (tokens === undefined) return 'ui.policy.needToken'
  if (tokens.some(({ methods }) => methods.length === 0)) return 'ui.policy.needMethod'
  if (recipients.length === 0 && tokens.some(({ methods }) => methods.some(isGranting))) return 'ui.policy.needSpender'
  if (draft.days.trim() !== '' && (days === null || days < 1n || days > 3_650n)) return 'ui.policy.needDays'
  return {
    id,
    name: draft.name.trim(),
    enabled: true,
    expiresAt: days === null ? null : now + Number(days) * DAY_MS,
    callers,
    kind: 'transaction',
    account: draft.account,
    recipients: recipients.length === 0 ? null : [...recipients],
    tokens,
    methods: [],
    valueWei: most.toString(),
    feeWei: fee.toString(),
    periods: [{ hours: Number(hours), wei: perPeriod.toString(), count: null }],
  }
}

/** Lets a third party take tokens later, so a policy can't allow it for any spender. */
function isGranting(method: PolicyMethod): boolean {
  return method === 'approve' || method === 'increaseAllowance'
}

/** None, or the form's token; undefined if something is missing. */
function tokensOf(
  { token, tokenMethods, tokenMost, tokenPerPeriod }: PolicyDraft,
  hours: number,
): PolicyTokens | undefined {
  const contract = token.trim()
  if (contract === '' && tokenMost.trim() === '' && tokenPerPeriod.trim() === '') return []
  const [amount, perPeriod] = [parseAmount(tokenMost, 0), parseAmount(tokenPerPeriod, 0)]
  if (!isAddress(contract) || amount === null || perPeriod === null) return undefined
  const periods = [{ hours, amount: perPeriod.toString() }]
  return [{ contract, methods: [...tokenMethods], amount: amount.toString(), periods }]
}

type PolicyTokens = Extract<PolicyView, { readonly kind: 'transaction' }>['tokens']

function lines(text: string): readonly string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
