// A reading with its unit and its age: muted with the age once it is stale, an en dash if unknown.
import { memo, useSyncExternalStore } from 'react'
import type { NumberKind } from '../../format/formatter'
import { useFormat } from '../../i18n/text'
import { useEnvironment } from '../../state/environment'
import styles from './Value.module.css'

/** Miner readings arrive every second; missing three, with some slack for a busy computer, counts as lost. */
export const STALE_AFTER_MS = 6000

export interface ValueProps {
  readonly kind: NumberKind
  /** In the base unit of `kind`; null = unknown. */
  readonly value: number | null | undefined
  /** UTC ms of the reading; absent if the value doesn't age by itself. */
  readonly takenAt?: number | null | undefined
  /** The result of `useAge`, where many values share a reading; not together with `takenAt`. */
  readonly age?: string | null
  readonly size?: 'figure' | 'lead' | 'normal'
  readonly testId?: string
  /** Preformatted text, for columns that share one unit. */
  readonly text?: string
}

export const Value = memo(function Value(props: ValueProps) {
  return props.takenAt === undefined ? <Fresh {...props} /> : <Ageing {...props} />
})

/** Independent of the reading's time: the same value a second later isn't rendered again. */
function Ageing({ takenAt, ...shown }: ValueProps) {
  return <Fresh {...shown} age={useAge(takenAt)} />
}

/**
 * The age of a reading in words once it is stale, otherwise null. Checks every second; renders again only when the text
 * changes.
 */
export function useAge(takenAt: number | null | undefined): string | null {
  const format = useFormat()
  const { ticker } = useEnvironment().stores
  return useSyncExternalStore(ticker.subscribe, () => {
    const ageMs = takenAt == null ? 0 : ticker.now() - takenAt
    return ageMs > STALE_AFTER_MS ? format.age(ageMs) : null
  })
}

const Fresh = memo(function Fresh(props: Omit<ValueProps, 'takenAt'>) {
  const { kind, value, size = 'normal', testId, text } = props
  const format = useFormat()
  const { number, unit } = format.format(kind, value)
  // Unknown values don't age.
  const age = value == null ? null : (props.age ?? null)
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
      {age !== null && (
        <span className={styles.age} data-age="">
          <span className={styles.comma}>, </span>
          {age}
        </span>
      )}
    </span>
  )
})
