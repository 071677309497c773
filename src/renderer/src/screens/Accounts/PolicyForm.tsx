// The form that creates a policy.
import { useId, useState } from 'react'
import { type PolicyMethod, type PolicyView, policyMethodSchema } from '../../../../contract/signer-tools'
import { TextField } from '../../components/forms/TextField'
import { useText } from '../../i18n/text'
import { useEnvironment, useSigner } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import { SecretForm } from '../../widgets/controls/SecretForm'
import styles from './Accounts.module.css'
import { callerChoices, EMPTY_DRAFT, type PolicyDraft, policyOf } from './policy-form'

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

export function PolicyForm({ onTry, onSave }: PolicyFormProps) {
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
