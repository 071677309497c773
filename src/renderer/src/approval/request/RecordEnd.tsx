// Where the audit log ends at this moment, for the user to write down: a log that is truncated or replaced later won't
// match it.
import { CopyButton } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useSigner } from '../../state/environment'
import { selectRecordEnd } from '../../state/stores/signer-store'
import styles from '../Approval.module.css'

/** Digits of the hash that are shown; the copy button copies all. */
const SHOWN_DIGITS = 16

export function RecordEnd() {
  const t = useText()
  const end = useSigner(selectRecordEnd)
  if (end === '') return null
  return (
    <p className={styles.note} data-testid="approval-record" data-value={end}>
      {t('ui.approval.record')} <bdi title={end}>{`${end.slice(0, end.indexOf(':') + 1 + SHOWN_DIGITS)}…`}</bdi>
      <CopyButton text={end} label={t('ui.approval.record')} />
    </p>
  )
}
