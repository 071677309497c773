// A secret that is shown only once: as text to copy, and as a QR code.
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { copyText } from '../../../components/values/HexText'
import { QrCode } from '../../../components/values/QrCode'
import { useText } from '../../../i18n/text'
import { Button } from '../../../widgets/controls/Button'
import styles from '../Settings.module.css'

interface ShownOnceProps {
  readonly text: string
  readonly label: string
  /** Also draws its QR code. */
  readonly hasCode: boolean
  readonly testId: string
}

export function ShownOnce({ text, label, hasCode, testId }: ShownOnceProps) {
  const t = useText()
  const [isCopied, setCopied] = useState(false)
  return (
    <div className={styles.once}>
      {hasCode && <QrCode text={text} label={label} sizePx={200} />}
      <input
        className={styles.input}
        readOnly
        aria-label={label}
        value={text}
        data-testid={testId}
        onFocus={(event) => event.target.select()}
      />
      <Button
        icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        onClick={() => void copyText(text).then(setCopied)}
      >
        {t(isCopied ? 'ui.settings.copied' : 'ui.settings.copy')}
      </Button>
      <p className={styles.reason}>{t('ui.settings.shownOnce')}</p>
    </div>
  )
}
