// One incident: what, since when, what it cost, who was told, and one action.
import type { ReactNode } from 'react'
import type { IncidentView } from '../../../../contract/incidents'
import type { Amount } from '../../../../contract/money'
import { ForeignText } from '../../components/values/HexText'
import { type Text, type useFormat, useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useAttempt } from '../../state/answers/use-answer'
import { useCanControl, useEnvironment, useOperation } from '../../state/environment'
import { isUnseen } from '../../state/incidents'
import { selectPools } from '../../state/stores/program-store'
import { Button, Failure } from '../controls/Button'
import { type DeviceNamer, devicesText, useDeviceNamer } from '../devices/device-names'
import styles from './IncidentRow.module.css'
import { causeIcon, incidentSentence } from './incident-words'

interface IncidentRowProps {
  readonly incident: IncidentView
  /** UTC ms, for its duration. */
  readonly now: number
  /** The costliest of several: its action is the strong one. */
  readonly isFirst?: boolean
  readonly isMarked?: boolean
  /** In the sheet it can be acknowledged, and says what was done and who was told. */
  readonly isFull?: boolean
}

type Format = ReturnType<typeof useFormat>

/** LAX with three decimals. */
export function lostText(amount: Amount, format: Format): string {
  if (amount.value === null) return '–'
  const { number, unit } = format.laxLost(BigInt(amount.value))
  return `${number}\u00a0${unit}`
}

export function IncidentRow({ incident, now, isFirst = false, isMarked = false, isFull = false }: IncidentRowProps) {
  const { t, format } = useLanguage()
  const nameOf = useDeviceNamer()
  const Icon = causeIcon(incident.cause)
  const isLive = incident.until === null
  const seconds = Math.max(1, ((incident.until ?? now) - incident.since) / 1000)
  const duration = format.text('duration', seconds)
  const tone = isLive && incident.level === 'problem' ? styles.live : styles[incident.kind]
  return (
    <li
      className={`${styles.row} ${isFull ? styles.full : ''} ${isMarked ? styles.marked : ''}`}
      data-testid={`incident-${incident.cause}`}
      data-state={isLive ? incident.level : 'over'}
      id={`incident-${incident.id}`}
      tabIndex={isMarked ? -1 : undefined}
    >
      <span className={`${styles.icon} ${tone}`}>
        <Icon aria-hidden="true" />
      </span>
      <div className={styles.words}>
        <h3>
          <ForeignText text={incidentSentence(incident, t, nameOf)} />
        </h3>
        <p>{aboutText(incident, { now, nameOf, t, format })}</p>
        {isFull && <Done incident={incident} now={now} />}
        {isFull && <Actions incident={incident} isFirst={isFirst} />}
      </div>
      <p className={styles.amount}>
        <b>{lostText(incident.income, format)}</b>
        <span>
          {isLive
            ? t('ui.incidents.ongoing', { duration })
            : t('ui.incidents.lasted', { time: format.clock(incident.since), duration })}
        </span>
      </p>
      {!isFull && <Remedy incident={incident} isFirst={isFirst} />}
    </li>
  )
}

interface AboutWords {
  readonly now: number
  readonly nameOf: DeviceNamer
  readonly t: Text
  readonly format: Format
}

/** Which devices, pool or rig it is about, and since when. */
function aboutText({ devices, pool, rig, since }: IncidentView, { now, nameOf, t, format }: AboutWords): string {
  const who =
    rig !== ''
      ? rig
      : devices.length === 0
        ? pool
        : devices.length > 3
          ? t('ui.flow.devices', { count: devices.length })
          : devicesText(devices, nameOf, format)
  const when = t('ui.incidents.since', { time: format.when(since, now) })
  return who === '' ? when : `${who}${format.separator}${when}`
}

/** What the miner did by itself, and which alerts went out. */
function Done({ incident: { actions, alerts }, now }: { readonly incident: IncidentView; readonly now: number }) {
  const { t, format } = useLanguage()
  const lines: readonly { readonly key: string; readonly text: ReactNode }[] = [
    ...actions.map(({ at, did, text }) => ({
      key: `${did} ${at}`,
      text: <ForeignText text={t(`ui.incidents.did.${did}`, { time: format.when(at, now), text })} />,
    })),
    ...alerts.map(({ at, sink, fault }) => ({
      key: `${sink} ${at}`,
      text: (
        <ForeignText
          text={
            fault === ''
              ? t('ui.incidents.told', { sink, time: format.when(at, now) })
              : t('ui.incidents.untold', { sink, reason: fault })
          }
        />
      ),
    })),
  ]
  return lines.map(({ key, text }) => (
    <p key={key} className={styles.done}>
      {text}
    </p>
  ))
}

function Actions({ incident, isFirst }: { readonly incident: IncidentView; readonly isFirst: boolean }) {
  const t = useText()
  const { backend } = useEnvironment()
  const nameOf = useDeviceNamer()
  const canControl = useCanControl()
  const canAcknowledge = canControl && incident.until === null && isUnseen(incident)
  const { failure, run } = useAttempt()
  return (
    <div className={styles.actions}>
      <Remedy incident={incident} isFirst={isFirst} />
      {canAcknowledge && (
        <Button
          variant="quiet"
          needsContact
          data-testid={`acknowledge-${incident.cause}`}
          aria-label={t('ui.alarms.acknowledgeOne', { what: incidentSentence(incident, t, nameOf) })}
          onClick={() => run(() => backend.call('miner.incidentAcknowledge', { ids: [incident.id] }))}
        >
          {t('ui.alarms.acknowledge')}
        </Button>
      )}
      {incident.until === null && incident.acknowledgedAt !== null && (
        <span className={styles.done}>{t('ui.alarms.acknowledged')}</span>
      )}
      <Failure text={failure} />
    </div>
  )
}

/** The one thing that helps: another pool, or the page of what it is about. */
function Remedy({ incident, isFirst }: { readonly incident: IncidentView; readonly isFirst: boolean }) {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
  const canControl = useCanControl()
  const pools = useOperation(selectPools)
  const next = pools.find(({ active, state }) => !active && (state === 'idle' || state === 'connecting'))
  const isPool = incident.cause === 'pool-trouble' || incident.cause === 'pool-lost'
  if (incident.until === null && isPool && canControl && next !== undefined)
    return (
      <div className={styles.remedy}>
        <Button
          variant={isFirst ? 'primary' : 'normal'}
          needsContact
          data-testid="incident-switch"
          onClick={() => run(() => backend.call('miner.poolActivate', { index: next.index, shown: next.url }))}
        >
          {t('ui.incidents.switchTo', { host: next.host })}
        </Button>
        <Failure text={failure} />
      </div>
    )
  const route = routeOf(incident)
  if (route === '') return <span />
  return (
    <a className={styles.open} href={hrefOf(route)} data-testid="incident-open">
      {t('ui.alarms.show')}
    </a>
  )
}

/** Where it can be fixed; empty if nowhere. */
function routeOf({ devices, pool, rig, cause }: IncidentView): string {
  if (rig !== '') return `/rigs/${encodeURIComponent(rig)}`
  if (pool !== '') return '/pools'
  const [device] = devices
  if (device !== undefined && devices.length === 1) return `/gpus/${device.index}`
  if (devices.length > 1) return '/gpus'
  return cause === 'no-work' ? '/node' : ''
}
