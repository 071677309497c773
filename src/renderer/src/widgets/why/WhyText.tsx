// What a value is made of: in words, device by device, step by step, since when, and what changed it lately.
import type { ReactNode } from 'react'
import type { DeviceView, TimelineSpan } from '../../../../contract/miner'
import { ForeignText } from '../../components/values/HexText'
import type { NumberKind } from '../../format/formatter'
import { type TextKey, type TextValues, useLanguage } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import { spanText } from '../charts/TimeChart'
import { Value } from '../facts/Value'
import styles from './Why.module.css'

type KeyAfter<Begin extends string> = TextKey extends infer K
  ? K extends `${Begin}${infer Name}`
    ? Name
    : never
  : never
/** Values that are explained in words of their own. */
export type Explained = Exclude<KeyAfter<'ui.why.'>, `${string}.${string}` | 'changed'>

interface WhyProps {
  readonly of: Explained
  /** For the words; `since`, when the miner started, is added. */
  readonly values?: TextValues
  /** What each device adds to a value of all of them. */
  readonly parts?: DeviceParts
  /** What the value is computed from, in order; or parts and their sum. */
  readonly rows?: readonly WhyRow[]
  /** What happened to the device, for a value that this changes. */
  readonly spans?: readonly TimelineSpan[]
}

export interface DeviceParts {
  readonly kind: NumberKind
  readonly read: (device: DeviceView) => number | null
}

export interface WhyRow {
  readonly label: string
  readonly value: ReactNode
  /** The label was written by someone else, such as a rig's name. */
  readonly isForeign?: boolean
  /** What the rows above amount to. */
  readonly isResult?: boolean
}

export function WhyText({ of, values, parts, rows = [], spans = [] }: WhyProps) {
  const { t, format } = useLanguage()
  const startedAt = useMiner(({ status }) => (status === null ? null : status.takenAt - status.uptimeSeconds * 1000))
  const since = startedAt === null ? format.text('count', null) : format.moment(Math.round(startedAt / 1000) * 1000)
  return (
    <>
      <span className={styles.text}>{t(`ui.why.${of}`, { since, ...values })}</span>
      {parts !== undefined && <Parts {...parts} />}
      {rows.length > 0 && <Rows rows={rows} />}
      {spans.length > 0 && <Changes spans={spans} />}
    </>
  )
}

function Parts({ kind, read }: DeviceParts) {
  const devices = useMiner((state) => state.devices?.devices ?? NONE)
  return (
    <ul className={styles.list} data-testid="why-parts">
      {devices.map((device) => (
        <li key={device.index}>
          <span>
            {device.index} <ForeignText text={device.name} />
          </span>
          <Value kind={kind} value={read(device)} />
        </li>
      ))}
    </ul>
  )
}

const NONE: readonly DeviceView[] = []

function Rows({ rows }: { readonly rows: readonly WhyRow[] }) {
  return (
    <ul className={styles.rows} data-testid="why-rows">
      {rows.map(({ label, value, isForeign = false, isResult = false }) => (
        <li key={label} data-result={isResult || undefined}>
          <span>{isForeign ? <ForeignText text={label} /> : label}</span>
          <span>{value}</span>
        </li>
      ))}
    </ul>
  )
}

const MAX_CHANGES = 3

function Changes({ spans }: { readonly spans: readonly TimelineSpan[] }) {
  const { t, format } = useLanguage()
  const latest = [...spans].sort((a, b) => b.from - a.from).slice(0, MAX_CHANGES)
  return (
    <>
      <span className={styles.head}>{t('ui.why.changed')}</span>
      <ul className={styles.list} data-testid="why-changes">
        {latest.map(({ kind, from, to, reason }) => (
          <li key={`${kind} ${from}`}>
            <span>{spanText({ kind, reason }, t)}</span>
            <span>
              {format.timeOfDay(from)}
              {' – '}
              {to === null ? '' : format.timeOfDay(to)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
