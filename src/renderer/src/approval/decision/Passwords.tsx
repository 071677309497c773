// What unlocks the account: a typed password, or the reason why none is needed or none is accepted.
import type { RequestView } from '../../../../contract/signer'
import { PasswordField } from '../../components/forms/PasswordField'
import { MIN_PASSWORD } from '../../format/secret-bytes'
import { type TextKey, type TextValues, useText } from '../../i18n/text'
import { useSigner } from '../../state/environment'
import { Failure } from '../../widgets/controls/Button'
import styles from '../Approval.module.css'
import type { ApprovalForm, KeepMinutes } from './use-form'

interface PasswordsProps {
  readonly request: RequestView
  readonly form: ApprovalForm
  readonly error: string
}

export function Passwords({ request, form, error }: PasswordsProps) {
  const t = useText()
  if (request.kind === 'listing') return <Failure text={error} />
  const unasked = whyUnasked(form)
  if (unasked !== null)
    return (
      <>
        <p className={styles.missing} data-testid="approval-stored">
          {t(...unasked)}
        </p>
        <Failure text={error} />
      </>
    )
  if (!form.takesPasswords) {
    return (
      <>
        <p className={styles.missing} data-testid="approval-at-machine">
          {t('ui.password.notTaken')}
        </p>
        <Failure text={error} />
      </>
    )
  }
  return (
    <>
      <PasswordField
        label={t(form.isNew ? 'ui.password.new' : 'ui.password.account')}
        testId="approval-password"
        handle={form.password}
        onChange={form.onPassword}
        error={error}
        hint={form.isNew ? t('ui.password.rules', { count: MIN_PASSWORD }) : triesText(request, t)}
      />
      {form.isNew && <NewAccount form={form} />}
      {form.offersKeeping && <KeepOpen form={form} />}
    </>
  )
}

/** Why no password is needed; null when one is. */
function whyUnasked({ device, isKept }: ApprovalForm): readonly [TextKey, TextValues?] | null {
  if (device !== null)
    return [device.kind === 'ledger' ? 'ui.password.device' : 'ui.password.carried', { path: device.path }]
  return isKept ? ['ui.password.kept'] : null
}

function NewAccount({ form }: { readonly form: ApprovalForm }) {
  const t = useText()
  const keystore = useSigner((state) => state.accounts?.keystore ?? '')
  return (
    <>
      <p className={styles.missing} role="status" data-testid="approval-strength">
        {form.typed.length > 0 && t(`ui.password.strength.${form.typed.strength}`)}
      </p>
      <PasswordField
        label={t('ui.password.repeat')}
        testId="approval-password-repeat"
        handle={form.repeat}
        onChange={form.onRepeat}
      />
      {keystore !== '' && (
        <p className={`${styles.missing} ${styles.path}`}>
          {t('ui.approval.keyFolder')} <code>{keystore}</code>
        </p>
      )}
    </>
  )
}

const choices: readonly KeepMinutes[] = [null, 5, 15]

function KeepOpen({ form }: { readonly form: ApprovalForm }) {
  const t = useText()
  return (
    <label className={styles.keep}>
      <span>{t('ui.password.keep')}</span>
      <select
        data-testid="approval-keep"
        value={form.keepMinutes ?? ''}
        onChange={(event) =>
          form.setKeepMinutes(choices.find((minutes) => String(minutes ?? '') === event.target.value) ?? null)
        }
      >
        {choices.map((minutes) => (
          <option key={minutes ?? 0} value={minutes ?? ''}>
            {minutes === null ? t('ui.password.keepNot') : t('ui.password.keepMinutes', { minutes })}
          </option>
        ))}
      </select>
    </label>
  )
}

function triesText(request: RequestView, t: ReturnType<typeof useText>): string {
  return request.lastError === '' ? '' : t('ui.password.triesLeft', { count: request.triesLeft })
}
