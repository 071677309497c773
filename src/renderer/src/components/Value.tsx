// A reading with its unit and its age: muted with the age once it is stale, an en dash when unknown.
import type { NumberKind } from '../format/formatter'
import { useFormat } from '../i18n/text'
import { useNow } from '../state/environment'
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

function Ageing(props: ValueProps) {
  const format = useFormat()
  const now = useNow()
  const ageMs = props.takenAt == null ? null : now - props.takenAt
  const isStale = ageMs !== null && ageMs > STALE_AFTER_MS && props.value != null
  return <Fresh {...props} age={isStale ? format.age(ageMs) : null} />
}

function Fresh({
  kind,
  value,
  size = 'normal',
  testId,
  text,
  age = null,
}: ValueProps & { readonly age?: string | null }) {
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
}
