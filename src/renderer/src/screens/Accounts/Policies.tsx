// Policies: in words, on or off, made by a form, and tried on what was asked in the past before they hold.
import { useCallback, useId, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { PolicyView } from '../../../../contract/signer-desk'
import { Age } from '../../components/Age'
import { Button } from '../../components/Button'
import { Card } from '../../components/Card'
import { ForeignText } from '../../components/HexText'
import { TextField } from '../../components/TextField'
import { shortHex } from '../../format/bytes-text'
import { useFormat, useText } from '../../i18n/text'
import { useAsking, useEnvironment, useSigner } from '../../state/environment'
import styles from './Accounts.module.css'
import { callerChoices, EMPTY_DRAFT, type PolicyDraft, policyOf } from './policy-form'

interface TrialRow {
  readonly id: string
  readonly time: number
  readonly kind: string
  readonly policy: string | null
  readonly reason: string
}

export function Policies() {
  const t = useText()
  const { backend } = useEnvironment()
  const [policies, setPolicies] = useState<readonly PolicyView[] | null>(null)
  const [error, setError] = useState('')
  const [trial, setTrial] = useState<readonly TrialRow[] | null>(null)
  const matches = useMatches()
  const read = useCallback((): undefined => {
    backend.call('signer.policies', {}).then(
      (answer) => setPolicies(answer.policies),
      (reason: unknown) => setError(messageOf(reason)),
    )
  }, [backend])
  useAsking(read)

  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    setError('')
    try {
      await work()
      return true
    } catch (reason: unknown) {
      setError(messageOf(reason))
      return false
    }
  }
  const save = (next: readonly PolicyView[]): Promise<boolean> =>
    attempt(async () => setPolicies((await backend.call('signer.savePolicies', { policies: [...next] })).policies))
  const dryRun = (next: readonly PolicyView[]): Promise<boolean> =>
    attempt(async () => setTrial((await backend.call('signer.dryRun', { policies: [...next] })).rows))
  if (policies === null) return error === '' ? null : <p role="alert">{error}</p>
  return (
    <Card title={t('ui.policy.title')} testId="policies">
      {policies.length === 0 && <p className={styles.asOf}>{t('ui.policy.none')}</p>}
      <ul className={styles.rows}>
        {policies.map((policy) => (
          <PolicyRow
            key={policy.id}
            policy={policy}
            matched={matches.get(policy.id) ?? null}
            onToggle={() =>
              void save(policies.map((other) => (other === policy ? { ...other, enabled: !other.enabled } : other)))
            }
            onRemove={() => void save(policies.filter((other) => other !== policy))}
          />
        ))}
      </ul>
      {error !== '' && (
        <p className={styles.failed} role="alert" data-testid="policy-error">
          {error}
        </p>
      )}
      <PolicyForm
        onTry={(policy) => void dryRun([...policies, policy])}
        onSave={(policy) => save([...policies, policy])}
      />
      <Trial rows={trial} />
    </Card>
  )
}

interface Matched {
  readonly count: number
  readonly lastAt: number
}

/** How often each policy approved, by its id; asked for again when a request has come or gone. */
function useMatches(): ReadonlyMap<string, Matched> {
  const { backend } = useEnvironment()
  const [matches, setMatches] = useState<ReadonlyMap<string, Matched>>(new Map())
  const takenAt = useSigner((state) => state.requests?.takenAt ?? 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new state of the requests may have counted
  const read = useCallback((): undefined => {
    backend.call('signer.policyMatches', {}).then(
      (answer) => setMatches(new Map(answer.matches.map(({ id, ...matched }) => [id, matched]))),
      () => setMatches(new Map()), // the list itself tells what is wrong
    )
  }, [backend, takenAt])
  useAsking(read)
  return matches
}

interface PolicyRowProps {
  readonly policy: PolicyView
  /** Null = never. */
  readonly matched: Matched | null
  readonly onToggle: () => void
  readonly onRemove: () => void
}

function PolicyRow({ policy, matched, onToggle, onRemove }: PolicyRowProps) {
  const t = useText()
  const sentence = useSentence(policy)
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
      <Button size="small" needsContact aria-pressed={policy.enabled} onClick={onToggle}>
        {t(policy.enabled ? 'ui.policy.turnOff' : 'ui.policy.turnOn')}
      </Button>
      <Button size="small" variant="danger" needsContact onClick={onRemove}>
        {t('ui.policy.remove')}
      </Button>
    </li>
  )
}

/** What the policy allows, in words. */
function useSentence(policy: PolicyView): string {
  const t = useText()
  const format = useFormat()
  const until = policy.expiresAt === null ? t('ui.policy.forGood') : format.instant(policy.expiresAt).slice(0, 10)
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
    methods: policy.methods.length === 0 ? t('ui.policy.noData') : policy.methods.join(', '),
    until,
  })
}

/** Who may ask, in words. */
function useCallers(callers: PolicyView['callers']): string {
  const t = useText()
  if (callers === null) return t('ui.policy.caller.any')
  const words = callers.map(({ scheme, origin }) => {
    if (scheme !== 'http') return t(`ui.policy.caller.${scheme}`)
    if (origin === null) return t('ui.policy.caller.anyHttp')
    return origin === '' ? t('ui.policy.caller.http') : origin
  })
  return words.join(', ')
}

interface PolicyFormProps {
  readonly onTry: (policy: PolicyView) => void
  readonly onSave: (policy: PolicyView) => Promise<boolean>
}

const amountFields = [
  ['most', 'ui.policy.most'],
  ['perPeriod', 'ui.policy.perPeriod'],
  ['hours', 'ui.policy.hours'],
  ['fee', 'ui.policy.fee'],
  ['days', 'ui.policy.days'],
] as const

function PolicyForm({ onTry, onSave }: PolicyFormProps) {
  const t = useText()
  const { clock } = useEnvironment()
  const accounts = useSigner((state) => [...new Set((state.accounts?.accounts ?? []).map(({ address }) => address))])
  const [draft, setDraft] = useState<PolicyDraft>(EMPTY_DRAFT)
  const account = draft.account === '' ? (accounts[0] ?? '') : draft.account
  const made = policyOf({ ...draft, account }, { id: `p${clock.now().toString(36)}`, now: clock.now() })
  const fault = typeof made === 'string' ? t(made) : undefined
  const change = (part: Partial<PolicyDraft>): void => setDraft((old) => ({ ...old, ...part }))
  const save = async (): Promise<void> => {
    if (typeof made !== 'string' && (await onSave(made))) setDraft(EMPTY_DRAFT)
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
          <Button
            variant="primary"
            needsContact
            data-testid="policy-save"
            disabledReason={fault}
            onClick={() => void save()}
          >
            {t('ui.policy.save')}
          </Button>
          {fault !== undefined && <span className={styles.asOf}>{fault}</span>}
        </div>
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
      <TextField
        label={t('ui.policy.methods')}
        data-testid="policy-methods"
        isMono
        value={draft.methods}
        onChange={(methods) => change({ methods })}
      />
    </>
  )
}

/** Pages that were here before are offered. */
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

function Trial({ rows }: { readonly rows: readonly TrialRow[] | null }) {
  const t = useText()
  const format = useFormat()
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
