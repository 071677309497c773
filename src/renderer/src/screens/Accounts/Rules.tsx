// What is decided without asking, for those who may decide: vault, passwords, script, policies. Locked, nothing is.
import { useId, useMemo, useState } from 'react'
import { DAY_MS } from '../../../../base/time'
import { LAX_DECIMALS } from '../../../../base/units'
import type { ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import {
  type PolicyMethod,
  type PolicyView,
  policyMethodSchema,
  type VersionedPolicyView,
} from '../../../../contract/signer-tools'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { isAddress, isMisspelled, shortHex } from '../../format/bytes-text'
import type { Formatter } from '../../format/formatter'
import { parseAmount } from '../../format/parse-amount'
import { type Text, type TextKey, useLanguage, useText } from '../../i18n/text'
import { useAttempt, useCall, useTurns } from '../../state/answers/use-answer'
import { useCanApprove, useEnvironment, useSigner } from '../../state/environment'
import { Button, Failure } from '../../widgets/controls/Button'
import { SecretForm } from '../../widgets/controls/SecretForm'
import { Skeleton } from '../../widgets/facts/States'
import { Age } from '../../widgets/facts/Value'
import { BackLink, Screen } from '../Screen'
import styles from './Accounts.module.css'
import { ScriptRules, StoredPasswords, useSealing, Vault } from './Vault'

export function Rules() {
  const t = useText()
  return (
    <Screen back={<BackLink route="/accounts">{t('ui.nav.accounts')}</BackLink>} title={t('ui.rules.title')}>
      <RuleTools />
    </Screen>
  )
}

/** Without the screen's title: the approval window shows it too. */
export function RuleTools() {
  const t = useText()
  const canApprove = useCanApprove()
  const state = useSigner(({ vault }) => vault?.state ?? null)
  if (!canApprove) return <p className={styles.asOf}>{t('ui.signer.elsewhere')}</p>
  if (state === null) return <Skeleton lines={5} />
  if (state === 'off') return null
  return (
    <>
      <div className={styles.pair}>
        <Vault />
        <ScriptRules />
      </div>
      {state === 'open' && (
        <>
          <StoredPasswords />
          <Policies />
        </>
      )}
    </>
  )
}

interface TrialRow {
  readonly id: string
  readonly time: number
  readonly kind: string
  readonly policy: string | null
  readonly reason: string
}

type PolicyList = ResultOf<Contract, 'signer.policies'>

function Policies() {
  const t = useText()
  const { policies, error, trial, put, remove, dryRun } = usePolicies()
  const matches = useMatches()
  if (policies === null) return <Failure text={error} />
  return (
    <Card title={t('ui.policy.title')} testId="policies">
      {policies.length === 0 && <p className={styles.asOf}>{t('ui.policy.none')}</p>}
      <ul className={styles.rows}>
        {policies.map((each) => (
          <PolicyRow
            key={each.policy.id}
            policy={each.policy}
            matched={matches.get(each.policy.id) ?? null}
            onToggle={(master) => put({ ...each.policy, enabled: !each.policy.enabled }, each.version, master)}
            onRemove={() => void remove(each)}
          />
        ))}
      </ul>
      <Failure text={error} testId="policy-error" />
      <PolicyForm
        onTry={(policy) => dryRun([...policies.map((each) => each.policy), policy])}
        onSave={(policy, master) => put(policy, null, master)}
      />
      <Trial rows={trial} />
    </Card>
  )
}

/** The list as last read or changed, and its actions; failures are in `error`. */
function usePolicies() {
  const { backend } = useEnvironment()
  const seal = useSealing()
  const list = useCall('signer.policies', {})
  const changing = useAttempt()
  const trying = useAttempt()
  const [trial, setTrial] = useState<readonly TrialRow[] | null>(null)
  const beginChange = useTurns()
  const beginTrial = useTurns()

  // Read the list again when a change was refused, since it was based on an outdated list, and when another change
  // overtook this one, since its answer doesn't include the other.
  const change = async (work: () => Promise<PolicyList>): Promise<boolean> => {
    trying.forget()
    const isCurrent = beginChange()
    const isDone = await changing.attempt(async () => {
      const changed = await work()
      if (isCurrent()) list.replace(changed)
      else void list.retry()
    })
    if (!isDone) void list.retry()
    return isDone
  }
  /** @param master base64; null: it only switches off, or shares addresses */
  const put = (policy: PolicyView, was: string | null, master: string | null): Promise<boolean> =>
    change(async () => {
      const given = master === null ? null : await seal(master, { change: 'put', policy, was })
      return backend.call('signer.putPolicy', { policy, was, master: given })
    })
  const remove = ({ policy, version }: VersionedPolicyView): Promise<boolean> =>
    change(() => backend.call('signer.removePolicy', { id: policy.id, was: version }))
  const dryRun = (next: readonly PolicyView[]): void => {
    changing.forget()
    const isCurrent = beginTrial()
    trying.run(async () => {
      const { rows } = await backend.call('signer.dryRun', { policies: [...next] })
      if (isCurrent()) setTrial(rows)
    })
  }
  const error = [changing.failure, trying.failure, list.reason].find((text) => text !== '') ?? ''
  return { policies: list.value?.policies ?? null, error, trial, put, remove, dryRun }
}

interface Matched {
  readonly count: number
  readonly lastAt: number
}

/** How often each policy approved a request, by policy id; read again when requests come or go. */
function useMatches(): ReadonlyMap<string, Matched> {
  const takenAt = useSigner((state) => state.requests?.takenAt ?? 0)
  // On failure no count is shown: the list itself shows the error.
  const { value, reason } = useCall('signer.policyMatches', {}, { mark: takenAt })
  return useMemo(
    () => new Map((reason === '' ? (value?.matches ?? []) : []).map(({ id, ...matched }) => [id, matched])),
    [value, reason],
  )
}

interface PolicyRowProps {
  readonly policy: PolicyView
  /** Null = never. */
  readonly matched: Matched | null
  /** @param master base64; null where none is needed */
  readonly onToggle: (master: string | null) => Promise<boolean>
  readonly onRemove: () => void
}

function PolicyRow({ policy, matched, onToggle, onRemove }: PolicyRowProps) {
  const t = useText()
  const sentence = useSentence(policy)
  const [isAsking, setAsking] = useState(false)
  const needsMaster = policy.kind === 'transaction' && !policy.enabled
  return (
    <li data-testid="policy-row" data-state={policy.enabled ? 'on' : 'off'}>
      <div className={styles.policy}>
        <strong>
          <ForeignText text={policy.name} />
        </strong>
        <span>{sentence}</span>
        <span className={styles.asOf} data-testid={`policy-matched-${policy.id}`}>
          {t('ui.policy.matched', { count: matched?.count ?? 0 })}
          {matched !== null && (
            <>
              {' '}
              <Age time={matched.lastAt} />
            </>
          )}
        </span>
      </div>
      <Button
        size="small"
        needsContact
        data-testid={`policy-toggle-${policy.id}`}
        aria-pressed={policy.enabled}
        aria-expanded={needsMaster ? isAsking : undefined}
        onClick={() => (needsMaster ? setAsking(!isAsking) : void onToggle(null))}
      >
        {t(policy.enabled ? 'ui.policy.turnOff' : 'ui.policy.turnOn')}
      </Button>
      <Button size="small" variant="dangerQuiet" needsContact onClick={onRemove}>
        {t('ui.policy.remove')}
      </Button>
      {needsMaster && isAsking && (
        <SecretForm
          testId={`policy-on-${policy.id}`}
          fields={[{ name: 'master', label: t('ui.vault.master') }]}
          action={t('ui.policy.turnOn')}
          onSubmit={async ({ master = '' }) => {
            if (await onToggle(master)) setAsking(false)
            return ''
          }}
        />
      )}
    </li>
  )
}

function useSentence(policy: PolicyView): string {
  const { t, format } = useLanguage()
  const until = policy.expiresAt === null ? t('ui.policy.forGood') : format.date(policy.expiresAt)
  const callers = useCallers(policy.callers)
  if (policy.kind === 'listing') return t('ui.policy.listing', { count: policy.accounts.length, callers, until })
  const [period] = policy.periods
  return t('ui.policy.sentence', {
    callers,
    most: format.laxExact(BigInt(policy.valueWei)),
    to: policy.recipients === null ? t('ui.policy.anyone') : policy.recipients.map(shortHex).join(', '),
    from: shortHex(policy.account),
    total: period?.wei == null ? '–' : format.laxExact(BigInt(period.wei)),
    hours: period?.hours ?? 0,
    tokens: tokensText(policy, t, format),
    until,
  })
}

type TransactionPolicy = Extract<PolicyView, { readonly kind: 'transaction' }>

function tokensText({ tokens, methods }: TransactionPolicy, t: Text, format: Formatter): string {
  if (methods.length > 0) return t('ui.policy.oldMethods')
  if (tokens.length === 0) return t('ui.policy.laxOnly')
  const texts = tokens.map(({ contract, amount, methods }) =>
    t('ui.policy.tokens', {
      amount: format.everyDigit(amount),
      token: shortHex(contract),
      methods: methods.join(', '),
    }),
  )
  return texts.join(format.separator)
}

function useCallers(callers: PolicyView['callers']): string {
  const { t, format } = useLanguage()
  if (callers === null) return t('ui.policy.caller.any')
  const words = callers.map(({ scheme, origin }) => {
    if (scheme !== 'http') return t(`ui.policy.caller.${scheme}`)
    if (origin === null) return t('ui.policy.caller.anyHttp')
    return origin === '' ? t('ui.policy.caller.http') : origin
  })
  return words.join(format.separator)
}

function Trial({ rows }: { readonly rows: readonly TrialRow[] | null }) {
  const { t, format } = useLanguage()
  const { clock } = useEnvironment()
  if (rows === null) return null
  const approved = rows.filter(({ policy }) => policy !== null).length
  return (
    <section aria-label={t('ui.policy.trial')} data-testid="policy-trial">
      <p role="status">{t('ui.policy.trialResult', { approved, all: rows.length })}</p>
      <ol className={styles.rows}>
        {[...rows]
          .reverse()
          .slice(0, 100)
          .map(({ id, time, kind, policy, reason }) => (
            <li key={id} data-state={policy === null ? 'asked' : 'approved'}>
              <time>{format.dayTime(time, clock.now())}</time>
              <span>{kind}</span>
              <span>
                {policy === null ? t('ui.policy.asked') : t('ui.policy.approved')}{' '}
                <ForeignText text={policy ?? reason} />
              </span>
            </li>
          ))}
      </ol>
    </section>
  )
}

interface PolicyFormProps {
  readonly onTry: (policy: PolicyView) => void
  /** @param master base64 @returns whether it was saved */
  readonly onSave: (policy: PolicyView, master: string) => Promise<boolean>
}

const amountFields = [
  ['most', 'ui.policy.most'],
  ['perPeriod', 'ui.policy.perPeriod'],
  ['hours', 'ui.policy.hours'],
  ['fee', 'ui.policy.fee'],
  ['days', 'ui.policy.days'],
] as const

const tokenFields = [
  ['tokenMost', 'ui.policy.tokenMost'],
  ['tokenPerPeriod', 'ui.policy.tokenPerPeriod'],
] as const

/** The form that creates a policy. */
function PolicyForm({ onTry, onSave }: PolicyFormProps) {
  const t = useText()
  const { clock } = useEnvironment()
  const accounts = useSigner((state) => [...new Set((state.accounts?.accounts ?? []).map(({ address }) => address))])
  const [draft, setDraft] = useState<PolicyDraft>(EMPTY_DRAFT)
  const account = draft.account === '' ? (accounts[0] ?? '') : draft.account
  const made = policyOf({ ...draft, account }, { id: `p${clock.now().toString(36)}`, now: clock.now() })
  const fault = typeof made === 'string' ? t(made) : undefined
  const change = (part: Partial<PolicyDraft>): void => setDraft((old) => ({ ...old, ...part }))
  const save = async ({ master = '' }: Readonly<Record<string, string>>): Promise<string> => {
    if (typeof made !== 'string' && (await onSave(made, master))) setDraft(EMPTY_DRAFT)
    return ''
  }
  return (
    <details data-testid="policy-form">
      <summary>{t('ui.policy.add')}</summary>
      <div className={styles.form}>
        <PolicyFields draft={{ ...draft, account }} accounts={accounts} change={change} />
        <div className={styles.bar}>
          <Button
            needsContact
            data-testid="policy-try"
            disabledReason={fault}
            onClick={() => typeof made !== 'string' && onTry(made)}
          >
            {t('ui.policy.try')}
          </Button>
          {fault !== undefined && <span className={styles.asOf}>{fault}</span>}
        </div>
        <SecretForm
          testId="policy-save"
          fields={[{ name: 'master', label: t('ui.vault.master') }]}
          action={t('ui.policy.save')}
          disabledReason={fault}
          onSubmit={save}
        />
      </div>
    </details>
  )
}

interface PolicyFieldsProps {
  readonly draft: PolicyDraft
  readonly accounts: readonly string[]
  readonly change: (part: Partial<PolicyDraft>) => void
}

function PolicyFields({ draft, accounts, change }: PolicyFieldsProps) {
  const t = useText()
  return (
    <>
      <TextField
        label={t('ui.policy.name')}
        data-testid="policy-name"
        maxLength={100}
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <label className={styles.label}>
        {t('ui.policy.account')}
        <select
          data-testid="policy-account"
          value={draft.account}
          onChange={(event) => change({ account: event.target.value })}
        >
          {accounts.map((address) => (
            <option key={address}>{address}</option>
          ))}
        </select>
      </label>
      <label className={styles.label}>
        {t('ui.policy.recipients')}
        <textarea
          className={styles.area}
          data-testid="policy-recipients"
          spellCheck={false}
          value={draft.recipients}
          onChange={(event) => change({ recipients: event.target.value })}
        />
      </label>
      <CallerFields draft={draft} change={change} />
      <div className={styles.figures}>
        {amountFields.map(([field, label]) => (
          <TextField
            key={field}
            label={t(label)}
            data-testid={`policy-${field}`}
            inputMode="decimal"
            value={draft[field]}
            onChange={(value) => change({ [field]: value })}
          />
        ))}
      </div>
      <TokenFields draft={draft} change={change} />
    </>
  )
}

function TokenFields({ draft, change }: Pick<PolicyFieldsProps, 'draft' | 'change'>) {
  const t = useText()
  return (
    <>
      <TextField
        label={t('ui.policy.token')}
        data-testid="policy-token"
        isMono
        value={draft.token}
        onChange={(token) => change({ token })}
      />
      {draft.token.trim() !== '' && <MethodFields draft={draft} change={change} />}
      <div className={styles.figures}>
        {tokenFields.map(([field, label]) => (
          <TextField
            key={field}
            label={t(label)}
            data-testid={`policy-${field}`}
            inputMode="numeric"
            value={draft[field]}
            onChange={(value) => change({ [field]: value })}
          />
        ))}
      </div>
    </>
  )
}

function MethodFields({ draft, change }: Pick<PolicyFieldsProps, 'draft' | 'change'>) {
  const t = useText()
  const toggled = (method: PolicyMethod): readonly PolicyMethod[] =>
    policyMethodSchema.options.filter((each) => draft.tokenMethods.includes(each) !== (each === method))
  return (
    <fieldset className={styles.bar}>
      <legend className={styles.label}>{t('ui.policy.tokenMethods')}</legend>
      {policyMethodSchema.options.map((method) => (
        <label key={method}>
          <input
            type="checkbox"
            data-testid={`policy-method-${method}`}
            checked={draft.tokenMethods.includes(method)}
            onChange={() => change({ tokenMethods: toggled(method) })}
          />
          <code>{method}</code>
        </label>
      ))}
    </fieldset>
  )
}

/** Suggests pages that made requests before. */
function CallerFields({ draft, change }: Pick<PolicyFieldsProps, 'draft' | 'change'>) {
  const t = useText()
  const listId = useId()
  const origins = useSigner(({ callers }) => callers.map(({ origin }) => origin).filter((origin) => origin !== ''))
  return (
    <>
      <label className={styles.label}>
        {t('ui.policy.caller')}
        <select
          data-testid="policy-caller"
          value={draft.caller}
          onChange={(event) => {
            const chosen = callerChoices.find((choice) => choice === event.target.value)
            if (chosen !== undefined) change({ caller: chosen })
          }}
        >
          {callerChoices.map((choice) => (
            <option key={choice} value={choice}>
              {t(`ui.policy.caller.${choice}`)}
            </option>
          ))}
        </select>
      </label>
      {draft.caller === 'page' && (
        <>
          <TextField
            label={t('ui.policy.origin')}
            data-testid="policy-origin"
            list={listId}
            hint={t('ui.policy.originHint')}
            value={draft.origin}
            onChange={(origin) => change({ origin })}
          />
          <datalist id={listId}>
            {origins.map((origin) => (
              <option key={origin} value={origin} />
            ))}
          </datalist>
        </>
      )}
    </>
  )
}

interface PolicyDraft {
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

/** A policy as form fields, parsed exactly; and the sentence that describes what it allows. */
const callerChoices = ['any', 'app', 'ipc', 'http', 'page'] as const
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
