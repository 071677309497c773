// Policies: in words, on or off, made by a form, and tried on what was asked in the past before they hold.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { PolicyView } from '../../../../contract/signer-desk'
import { Button } from '../../components/Button'
import { Card } from '../../components/Card'
import { ForeignText } from '../../components/HexText'
import { TextField } from '../../components/TextField'
import { shortHex } from '../../format/bytes-text'
import { useFormat, useText } from '../../i18n/text'
import { useAsking, useEnvironment, useSigner } from '../../state/environment'
import styles from './Accounts.module.css'
import { EMPTY_DRAFT, type PolicyDraft, policyOf } from './policy-form'

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

interface PolicyRowProps {
  readonly policy: PolicyView
  readonly onToggle: () => void
  readonly onRemove: () => void
}

function PolicyRow({ policy, onToggle, onRemove }: PolicyRowProps) {
  const t = useText()
  const sentence = useSentence(policy)
  return (
    <li data-testid="policy-row" data-state={policy.enabled ? 'on' : 'off'}>
      <div className={styles.policy}>
        <strong>
          <ForeignText text={policy.name} />
        </strong>
        <span>{sentence}</span>
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
  if (policy.kind === 'listing') return t('ui.policy.listing', { count: policy.accounts.length, until })
  const [period] = policy.periods
  return t('ui.policy.sentence', {
    most: format.laxExact(BigInt(policy.valueWei)),
    to: policy.recipients === null ? t('ui.policy.anyone') : policy.recipients.map(shortHex).join(', '),
    from: shortHex(policy.account),
    total: period?.wei == null ? '–' : format.laxExact(BigInt(period.wei)),
    hours: period?.hours ?? 0,
    methods: policy.methods.length === 0 ? t('ui.policy.noData') : policy.methods.join(', '),
    until,
  })
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
