// The electricity price, for computing the cost of mining. Stored on this device.
import { useState } from 'react'
import { TextField } from '../../../components/forms/TextField'
import { Card } from '../../../components/layout/Card'
import { isAmbiguous } from '../../../format/parse-amount'
import { useText } from '../../../i18n/text'
import { useEnvironment, usePreference } from '../../../state/environment'
import styles from '../Settings.module.css'

export function Tariff() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const tariff = usePreference((state) => state.tariff)
  const currency = usePreference((state) => state.currency)
  const [text, setText] = useState(tariff)
  const [error, setError] = useState('')
  const change = (value: string): void => {
    setText(value)
    const read = readPrice(value)
    setError(read === null ? t('ui.settings.tariffBad') : '')
    if (read !== null) preferences.setState({ tariff: read })
  }
  return (
    <div className={styles.cards}>
      <Card title={t('ui.settings.tariff')} testId="tariff">
        <p className={styles.reason}>{t('ui.settings.tariffText')}</p>
        <div className={styles.pair}>
          <TextField
            label={t('ui.settings.tariffPrice')}
            inputMode="decimal"
            value={text}
            error={error}
            maxLength={13}
            data-testid="tariff-price"
            onChange={change}
          />
          <TextField
            label={t('ui.settings.tariffCurrency')}
            value={currency}
            maxLength={8}
            data-testid="tariff-currency"
            onChange={(value) => preferences.setState({ currency: value })}
          />
        </div>
      </Card>
    </div>
  )
}

/**
 * Digits with at most one decimal mark, a point or a comma; null for anything else, and where the mark could group
 * thousands. Empty = no tariff.
 */
export function readPrice(text: string): string | null {
  const plain = text.trim().replace(',', '.')
  if (plain === '') return ''
  return /^\d{1,6}(\.\d{1,6})?$/.test(plain) && !isAmbiguous(text) ? plain : null
}
