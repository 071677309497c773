// What a value is made of: in words, device by device, since when, and what changed it lately.
import type { DeviceView, TimelineSpan } from '../../../../contract/miner'
import { ForeignText } from '../../components/values/HexText'
import type { NumberKind } from '../../format/formatter'
import { useFormat, useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import { spanText } from '../charts/span-text'
import { Value } from '../facts/Value'
import styles from './Why.module.css'

/** Values that are explained in words of their own. */
export type Explained =
  | 'now'
  | 's60'
  | 'm15'
  | 'effective'
  | 'shares'
  | 'efficiency'
  | 'sensor'
  | 'powerSum'
  | 'limit'
  | 'dataset'
  | 'energyDay'
  | 'costDay'
  | 'energyToday'
  | 'costToday'
  | 'costPer'
  | 'uptime'
  | 'blocks'
  | 'payoutExpected'
  | 'payoutDay'
  | 'payoutReceived'
  | 'payoutFound'
  | 'payoutBand'

export interface WhyProps {
  readonly of: Explained
  /** What each device adds to a value of all of them. */
  readonly parts?: DeviceParts
  /** What happened to the device, for a value that this changes. */
  readonly spans?: readonly TimelineSpan[]
}

export interface DeviceParts {
  readonly kind: NumberKind
  readonly read: (device: DeviceView) => number | null
}

export function WhyText({ of, parts, spans = [] }: WhyProps) {
  const t = useText()
  const format = useFormat()
  const startedAt = useMiner(({ status }) => (status === null ? null : status.takenAt - status.uptimeSeconds * 1000))
  const since = startedAt === null ? format.text('count', null) : format.moment(Math.round(startedAt / 1000) * 1000)
  return (
    <>
      <span>{t(`ui.why.${of}`, { since })}</span>
      {parts !== undefined && <Parts {...parts} />}
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
const MAX_CHANGES = 3

function Changes({ spans }: { readonly spans: readonly TimelineSpan[] }) {
  const t = useText()
  const format = useFormat()
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
