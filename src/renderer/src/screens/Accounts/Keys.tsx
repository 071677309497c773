// Importing keys, and changing passwords: only for those who may decide requests.
import { useState } from 'react'
import { Card } from '../../components/layout/Card'
import { toBase64 } from '../../format/secret-bytes'
import { useText } from '../../i18n/text'
import { useCanApprove, useEnvironment } from '../../state/environment'
import { SecretForm } from '../../widgets/controls/SecretForm'
import styles from './Accounts.module.css'
import { KeyFileField } from './Backup'
import { useSealing } from './Vault'

/** Bytes of a text that is sealed; no key is longer. */
const MOST_SEALED = 4_096
/** A key file is JSON. Anything else has no password of its own, and is a secret itself. */
const KEY_FILE = /^\s*[{[]/

/** From a key file or a key's digits: the field is cleared together with the passwords. */
export function ImportAccount() {
  const t = useText()
  const { backend } = useEnvironment()
  const canApprove = useCanApprove()
  const [text, setText] = useState('')
  const seal = useSealing()
  if (!canApprove) return null
  // What a page can't seal goes as it is.
  const secret = async (bare: string, change: object) => {
    const bytes = new TextEncoder().encode(bare)
    const sealed = bytes.length > MOST_SEALED ? '' : await seal(toBase64(bytes), change)
    return typeof sealed === 'string' ? bare : sealed
  }
  const isBare = text.trim() !== '' && !KEY_FILE.test(text)
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
            const change = { change: 'import' }
            const { address } = await backend.call('signer.importAccount', {
              text: isBare ? await secret(text, change) : text,
              oldPassword: secrets.old === undefined ? null : await seal(secrets.old, change),
              password: await seal(secrets.new ?? '', change),
            })
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
  const seal = useSealing()
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
          const change = { change: 'password', address: address.toLowerCase() }
          const [oldPassword, password] = [await seal(old, change), await seal(next, change)]
          await backend.call('signer.changePassword', { address, oldPassword, password })
          return t('ui.account.changed')
        }}
      />
    </Card>
  )
}
