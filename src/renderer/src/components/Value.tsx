// A reading with its unit and its age: muted with the age once it is stale, an en dash when unknown.
import { memo, useSyncExternalStore } from 'react'
import type { NumberKind } from '../format/formatter'
import { useFormat } from '../i18n/text'
import { useEnvironment } from '../state/environment'
import styles from './Value.module.css'

/** Readings of the miner come each second; three missed ones, with some slack for a busy computer, are a lost one. */
export const STALE_AFTER_MS = 6000

export interface ValueProps {
  readonly kind: NumberKind
  /** In the base unit of `kind`; null = not known. */
  readonly value: number | null | undefined
  /** UTC ms of the reading; absent where the value does not age by itself. */
  readonly takenAt?: number | null | undefined
  readonly size?: 'figure' | 'lead' | 'normal'
  readonly testId?: string
  /** Text made elsewhere, for columns that share one unit. */
  readonly text?: string
}

export function Value(props: ValueProps) {
  return props.takenAt === undefined ? <Fresh {...props} /> : <Ageing {...props} />
}

/** Asks each second, but is drawn again only when what it says changes. */
function Ageing(props: ValueProps) {
  const format = useFormat()
  const { ticker } = useEnvironment().stores
  // Without the time of the reading: the same value a second later is drawn once.
  const { takenAt, ...shown } = props
  const age = useSyncExternalStore(ticker.subscribe, () => {
    const ageMs = takenAt == null || props.value == null ? 0 : ticker.now() - takenAt
    return ageMs > STALE_AFTER_MS ? format.age(ageMs) : null
  })
  return <Fresh {...shown} age={age} />
}

interface FreshProps extends Omit<ValueProps, 'takenAt'> {
  readonly age?: string | null
}

const Fresh = memo(function Fresh({ kind, value, size = 'normal', testId, text, age = null }: FreshProps) {
  const format = useFormat()
  const { number, unit } = format.format(kind, value)
  return (
    <span
      className={`${styles.value} ${styles[size]}`}
      data-testid={testId}
      data-value={value ?? ''}
      data-stale={age === null ? undefined : 'true'}
    >
      <bdi>
        {text ?? number}
        {text === undefined && unit !== '' && <span className={styles.unit}>{`\u00a0${unit}`}</span>}
      </bdi>
      {age !== null && <span className={styles.age}>, {age}</span>}
    </span>
  )
})
