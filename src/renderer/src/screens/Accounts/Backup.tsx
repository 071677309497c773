// Copies a key file to another place: saved with the password, then read back and unlocked to verify the copy.
import { useId, useState } from 'react'
import { Card } from '../../components/layout/Card'
import { saveText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useApp, useEnvironment, useSigner } from '../../state/environment'
import { selectNote } from '../../state/stores/signer-store'
import { Failure } from '../../widgets/controls/Button'
import { SecretForm } from '../../widgets/controls/SecretForm'
import styles from './Accounts.module.css'
import { useSealing } from './Vault'

/** Key files are small; anything larger isn't one. */
const MAX_FILE_BYTES = 64 * 1024

export function Backup({ address }: { readonly address: string }) {
  const t = useText()
  const state = useSigner(selectNote(address))?.backup ?? 'unknown'
  const isPractice = useApp(({ info }) => info?.network === 'practice')
  return (
    <Card title={t('ui.backup.title')} testId="backup" aside={<BackupMark state={state} />}>
      <p className={styles.asOf}>{t(isPractice ? 'ui.backup.practice' : `ui.backup.text.${state}`)}</p>
      <ol className={styles.steps}>
        <li>
          <h3>{t('ui.backup.save')}</h3>
          <SaveFile address={address} />
        </li>
        <li>
          <h3>{t('ui.backup.prove')}</h3>
          <ProveCopy address={address} />
        </li>
      </ol>
    </Card>
  )
}

/** Never relies on color alone. */
export function BackupMark({ state }: { readonly state: 'unknown' | 'none' | 'saved' | 'done' | 'old' }) {
  const t = useText()
  const tone = state === 'done' ? styles.good : state === 'unknown' ? styles.neutral : styles.warn
  return (
    <span className={tone} data-testid="backup-mark" data-state={state}>
      {t(`ui.backup.state.${state}`)}
    </span>
  )
}

function SaveFile({ address }: { readonly address: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const seal = useSealing()
  return (
    <SecretForm
      testId="export"
      fields={[{ name: 'password', label: t('ui.password.account') }]}
      action={t('ui.backup.saveAction')}
      onSubmit={async ({ password = '' }) => {
        const sealed = await seal(password, { change: 'open', address: address.toLowerCase() })
        const { file, text } = await backend.call('signer.exportAccount', { address, password: sealed })
        saveText(text, file, 'application/json')
        return t('ui.backup.saved', { file })
      }}
    >
      <p className={styles.asOf}>{t('ui.backup.saveText')}</p>
    </SecretForm>
  )
}

function ProveCopy({ address }: { readonly address: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const seal = useSealing()
  const [copy, setCopy] = useState<{ readonly name: string; readonly text: string } | null>(null)
  return (
    <SecretForm
      testId="prove"
      fields={[{ name: 'password', label: t('ui.password.account') }]}
      action={t('ui.backup.proveAction')}
      disabledReason={copy === null ? t('ui.backup.noFile') : undefined}
      onSubmit={async ({ password = '' }) => {
        const sealed = await seal(password, { change: 'open', address: address.toLowerCase() })
        await backend.call('signer.confirmBackup', { address, text: copy?.text ?? '', password: sealed })
        return t('ui.backup.proved')
      }}
    >
      <p className={styles.asOf}>{t('ui.backup.proveText')}</p>
      <KeyFileField label={t('ui.backup.copy')} testId="prove-file" onRead={setCopy} />
    </SecretForm>
  )
}

interface KeyFileFieldProps {
  readonly label: string
  readonly testId: string
  /** Null: no file is chosen, or it is too large. */
  readonly onRead: (file: { readonly name: string; readonly text: string } | null) => void
}

/** A file that the user picks; it is read on this page only. */
export function KeyFileField({ label, testId, onRead }: KeyFileFieldProps) {
  const t = useText()
  const id = useId()
  const [fault, setFault] = useState('')
  const read = async (file: File | undefined): Promise<void> => {
    const isTooLarge = file !== undefined && file.size > MAX_FILE_BYTES
    setFault(isTooLarge ? t('ui.backup.tooLarge') : '')
    if (file === undefined || isTooLarge) return onRead(null)
    try {
      onRead({ name: file.name, text: await file.text() })
    } catch {
      setFault(t('ui.backup.unreadable'))
      onRead(null)
    }
  }
  return (
    <div className={styles.label}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        className={styles.file}
        data-testid={testId}
        onChange={(event) => void read(event.target.files?.[0])}
      />
      <Failure text={fault} />
    </div>
  )
}
