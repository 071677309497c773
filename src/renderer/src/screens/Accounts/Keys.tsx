// Importing keys, and changing passwords: only for those who may decide requests.
import { useState } from 'react'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { useApp, useEnvironment } from '../../state/environment'
import { selectCanApprove } from '../../state/stores/app-store'
import { SecretForm } from '../../widgets/controls/SecretForm'
import styles from './Accounts.module.css'
import { KeyFileField } from './Backup'

const BARE_KEY = /^\s*(0x)?[0-9a-fA-F]{64}\s*$/

/** From a key file or a key's digits: the field is cleared together with the passwords. */
export function ImportAccount() {
  const t = useText()
  const { backend } = useEnvironment()
  const canApprove = useApp(selectCanApprove)
  const [text, setText] = useState('')
  if (!canApprove) return null
  const isBare = BARE_KEY.test(text)
  const fields = [
    ...(isBare ? [] : [{ name: 'old', label: t('ui.import.old') }]),
    { name: 'new', label: t('ui.import.new'), isNew: true },
  ]
  return (
    <Card title={t('ui.import.title')}>
      <details>
        <summary>{t('ui.import.open')}</summary>
        <SecretForm
          testId="import"
          fields={fields}
          action={t('ui.import.action')}
          disabledReason={text.trim() === '' ? t('ui.import.missing') : undefined}
          onSubmit={async (secrets) => {
            const given = { text, oldPassword: secrets.old ?? null, password: secrets.new ?? '' }
            const { address } = await backend.call('signer.importAccount', given)
            setText('')
            return t('ui.import.done', { address })
          }}
        >
          <KeyFileField label={t('ui.import.file')} testId="import-file" onRead={(file) => setText(file?.text ?? '')} />
          <label className={styles.label}>
            {t('ui.import.text')}
            <textarea
              className={styles.area}
              data-testid="import-text"
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </label>
        </SecretForm>
      </details>
    </Card>
  )
}

export function ChangePassword({ address }: { readonly address: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const fields = [
    { name: 'old', label: t('ui.password.account') },
    { name: 'new', label: t('ui.account.newPassword'), isNew: true },
  ]
  return (
    <Card title={t('ui.account.changePassword')}>
      <SecretForm
        testId="change-password"
        fields={fields}
        action={t('ui.account.changePassword')}
        onSubmit={async ({ old = '', new: next = '' }) => {
          await backend.call('signer.changePassword', { address, oldPassword: old, password: next })
          return t('ui.account.changed')
        }}
      />
    </Card>
  )
}
