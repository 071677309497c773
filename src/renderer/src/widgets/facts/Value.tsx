// A reading with its unit and its age: muted with the age once it is stale, an en dash if unknown.
import { memo, useCallback, useSyncExternalStore } from 'react'
import { type Formatter, type NumberKind, unitText } from '../../format/formatter'
import { useFormat } from '../../i18n/text'
import { useApp, useEnvironment, useNow } from '../../state/environment'
import { type MinerState, selectDevice, selectLostSince } from '../../state/stores/program-store'
import styles from './Value.module.css'

/** Miner readings arrive every second; missing three, with some slack for a busy computer, counts as lost. */
export const STALE_AFTER_MS = 6000

interface ValueProps {
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
  // Without contact nothing new arrives: what doesn't age by itself is as old as the silence.
  const lostSince = useApp(selectLostSince)
  if (props.takenAt !== undefined) return <Ageing {...props} />
  return lostSince === null || props.age != null ? <Fresh {...props} /> : <Ageing {...props} takenAt={lostSince} />
})

/** Independent of the reading's time: the same value a second later isn't rendered again. */
function Ageing({ takenAt, ...shown }: ValueProps) {
  return <Fresh {...shown} age={useAge(takenAt)} />
}

/** The age of a reading in words once it is stale, else null. Renders again only when the text changes. */
export function useAge(takenAt: number | null | undefined): string | null {
  const format = useFormat()
  const { ticker } = useEnvironment().stores
  return useSyncExternalStore(ticker.subscribe, () => ageText(format, takenAt, ticker.now()))
}

/** The same for the last reading of a device, for a component that doesn't render at each reading. */
export function useReadingAge(device: number): string | null {
  return useMinerAge(useCallback((state) => selectDevice(device)(state)?.takenAt, [device]))
}

/** The same for any reading of the miner. @param takenAt has to be the same function each time */
export function useMinerAge(takenAt: (state: MinerState) => number | null | undefined): string | null {
  const format = useFormat()
  const { ticker, shown, miner, freeze } = useEnvironment().stores
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = [ticker.subscribe(listener), shown.miner.subscribe(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    [ticker, shown],
  )
  return useSyncExternalStore(subscribe, () => {
    const { getState } = freeze.isOn() ? shown.miner : miner
    return ageText(format, takenAt(getState()), ticker.now())
  })
}

function ageText(format: Formatter, takenAt: number | null | undefined, now: number): string | null {
  const ageMs = takenAt == null ? 0 : now - takenAt
  return ageMs > STALE_AFTER_MS ? format.age(ageMs) : null
}

const Fresh = memo(function Fresh(props: Omit<ValueProps, 'takenAt'>) {
  const { kind, value, size = 'normal', testId, text } = props
  const format = useFormat()
  const formatted = format.format(kind, value)
  const { number, unit } = formatted
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
        {text === undefined && unit !== '' && <span className={styles.unit}>{unitText(formatted)}</span>}
      </bdi>
      <StaleAge age={age} />
    </span>
  )
})

/** Behind a stale value; nothing while it is fresh. */
export function StaleAge({ age }: { readonly age: string | null }) {
  if (age === null) return null
  return (
    <span className={styles.age} data-age="">
      <span className={styles.comma}>, </span>
      {age}
    </span>
  )
}

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

/** `time` in UTC ms; a time slightly in the future (another clock) reads as now. */
export function Age({ time }: { readonly time: number | null }) {
  const format = useFormat()
  const now = useNow()
  if (time === null) return <span>{format.age(null)}</span>
  return <time title={format.instant(time)}>{format.age(Math.max(0, now - time))}</time>
}
