// The words for a known pattern above its tree.
import type { DataRequestView } from '../../../contract/signer'
import { useText } from '../i18n/text'
import styles from './Approval.module.css'
import { meaningOf } from './typed-meaning'

export function TypedMeaning({ data }: { readonly data: DataRequestView }) {
  const t = useText()
  const meaning = meaningOf(data.messages)
  if (meaning === null) return null
  return (
    <p className={styles.meaning} data-testid="approval-meaning">
      {t(meaning.key, meaning.values)} <span className={styles.note}>{t('ui.meaning.note')}</span>
    </p>
  )
}
