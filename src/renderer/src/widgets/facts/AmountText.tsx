// An amount of the chain's coin, formatted from whole wei; the attribute keeps every digit.
import { useFormat } from '../../i18n/text'
import styles from './Value.module.css'

interface AmountTextProps {
  /** wei as decimal digits; null = unknown. */
  readonly wei: string | null | undefined
  /** `list` truncates to 6 decimals and marks that, `exact` shows every digit. */
  readonly form: 'list' | 'exact'
  readonly size?: 'figure' | 'lead' | 'normal'
  /** False before another amount, whose unit applies to both. */
  readonly hasUnit?: boolean
  readonly testId?: string
}

export function AmountText({ wei, form, size = 'normal', hasUnit = true, testId }: AmountTextProps) {
  const format = useFormat()
  const amount = wei == null ? null : BigInt(wei)
  const text = form === 'exact' ? format.laxExact(amount) : format.lax(amount)
  // The last space: some languages group digits with the same character.
  const end = text.lastIndexOf('\u00a0')
  const [number, unit] = end === -1 ? [text] : [text.slice(0, end), text.slice(end)]
  return (
    <span
      className={`${styles.value} ${styles[size]} ${form === 'exact' ? styles.wrap : ''}`}
      data-testid={testId}
      data-value={wei ?? ''}
      title={form === 'list' ? format.laxExact(amount) : undefined}
    >
      <bdi>
        {number}
        {unit !== undefined && hasUnit && <span className={styles.unit}>{unit}</span>}
      </bdi>
    </span>
  )
}
