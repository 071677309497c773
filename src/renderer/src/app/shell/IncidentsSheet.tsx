// Everything that is wrong now, what happened last night, and what came before; with what each cost.

import { CheckCircle2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { DAY_MS, HOUR_MS } from '../../../../base/time'
import type { IncidentView } from '../../../../contract/incidents'
import { tenth } from '../../components/charts/chart-scale'
import { type LossKind, lossColor, lossKinds } from '../../components/charts/Hatches'
import { Sheet } from '../../components/layout/Modal'
import tabStyles from '../../components/layout/Tabs.module.css'
import { UNKNOWN } from '../../format/formatter'
import { useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useCall } from '../../state/answers/use-answer'
import { useEnvironment, useOperation } from '../../state/environment'
import { selectOpen, selectRecent } from '../../state/incidents'
import { useHealth } from '../../state/use-health'
import { AnswerState } from '../../widgets/facts/States'
import { IncidentRow } from '../../widgets/incidents/IncidentRow'
import styles from './IncidentsSheet.module.css'
import { StatusList } from './StatusBar'
import { findingText } from './status-items'

const NIGHT_FROM = 22
const NIGHT_TO = 7
const EARLIER_DAYS = 7
const PERIOD_MS = 60_000
const tabs = ['now', 'night', 'earlier'] as const
type Tab = (typeof tabs)[number]

interface IncidentsSheetProps {
  /** The incident that is marked; empty = none. */
  readonly id: string
  readonly onClose: () => void
}

export function IncidentsSheet({ id, onClose }: IncidentsSheetProps) {
  const t = useText()
  const { clock } = useEnvironment()
  const [now] = useState(() => clock.now())
  const { lists, past, missing } = useLists(now)
  const isTold = useOperation(({ incidents }) => incidents !== null)
  const { findings } = useHealth()
  /** Null: unknown. */
  const countOf = (name: Tab): number | null => {
    const count = lists[name].length + (name === 'now' ? findings.length : 0)
    return count > 0 || (name === 'now' ? isTold : past.value !== null) ? count : null
  }
  const [chosen, setChosen] = useState<Tab | null>(null)
  const tab = chosen ?? firstTab(lists, id)
  /** The program sends no more at once. */
  const isCut = tab === 'earlier' && missing > 0
  useMarked(id, lists[tab])
  return (
    <Sheet
      title={t('ui.incidents.title')}
      testId="incidents"
      onClose={onClose}
      tabs={
        <div className={tabStyles.tabs} role="tablist" aria-label={t('ui.incidents.when')}>
          {tabs.map((name) => (
            <TabButton key={name} name={name} active={tab} count={countOf(name)} onChoose={setChosen} />
          ))}
        </div>
      }
      foot={<Ways onClose={onClose} />}
    >
      <div role="tabpanel" id={`incidents-${tab}`} aria-labelledby={`incidents-tab-${tab}`} tabIndex={-1}>
        {lists[tab].length > 0 && !isCut && <Sum incidents={lists[tab]} tab={tab} now={now} />}
        {tab === 'now' ? <Findings /> : <AnswerState answer={past} failed="ui.incidents.failed" />}
        {countOf(tab) === 0 && <Nothing tab={tab} />}
        {tab === 'now' && !isTold && <p className={styles.nothing}>{t('ui.health.untold')}</p>}
        <ul className={styles.list}>
          {lists[tab].map((incident, place) => (
            <IncidentRow
              key={incident.id}
              incident={incident}
              now={now}
              isFull
              isFirst={tab === 'now' && place === 0}
              isMarked={incident.id === id}
            />
          ))}
        </ul>
        {isCut && <p className={styles.nothing}>{t('ui.flow.more', { count: missing })}</p>}
        {tab === 'now' && <StatusList />}
      </div>
    </Sheet>
  )
}

/** Where else incidents are about. */
function Ways({ onClose }: Pick<IncidentsSheetProps, 'onClose'>) {
  const t = useText()
  return (
    <>
      <a href={hrefOf('/settings/notifications')} onClick={onClose}>
        {t('ui.incidents.rules')}
      </a>
      <a href={hrefOf('/activity')} onClick={onClose}>
        {t('ui.incidents.history')}
      </a>
    </>
  )
}

interface TabButtonProps {
  readonly name: Tab
  readonly active: Tab
  readonly count: number | null
  readonly onChoose: (tab: Tab) => void
}

/** Arrow keys move between tabs, as everywhere. */
function TabButton({ name, active, count, onChoose }: TabButtonProps) {
  const t = useText()
  const isActive = name === active
  return (
    <button
      type="button"
      role="tab"
      id={`incidents-tab-${name}`}
      data-testid={`incidents-tab-${name}`}
      aria-controls={`incidents-${name}`}
      aria-selected={isActive}
      tabIndex={isActive ? 0 : -1}
      onClick={() => onChoose(name)}
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
        if (step === undefined) return
        const next = tabs[(tabs.indexOf(name) + step + tabs.length) % tabs.length] ?? name
        onChoose(next)
        document.getElementById(`incidents-tab-${next}`)?.focus()
      }}
    >
      {t(`ui.incidents.tab.${name}`)}
      <span className={tabStyles.count}>{count ?? UNKNOWN}</span>
    </button>
  )
}

/** Incidents of now, of the last night, and of the week before. */
function useLists(now: number) {
  const open = useOperation(selectOpen)
  const recent = useOperation(selectRecent)
  const span = { from: now - EARLIER_DAYS * DAY_MS, to: now }
  const past = useCall('miner.incidentHistory', span, { everyMs: PERIOD_MS })
  const ended = [
    ...new Map([...(past.value?.incidents ?? []), ...recent].map((incident) => [incident.id, incident])).values(),
  ].filter(({ until }) => until !== null)
  const night = nightBefore(now)
  const isNight = ({ since, until }: IncidentView): boolean => since < night.to && (until ?? now) > night.from
  const lists: Readonly<Record<Tab, readonly IncidentView[]>> = {
    now: open,
    night: ended.filter(isNight).sort(byCost),
    earlier: ended.filter((incident) => !isNight(incident)).sort((a, b) => b.since - a.since),
  }
  return { lists, past, missing: past.value === null ? 0 : past.value.total - past.value.incidents.length }
}

const byCost = (a: IncidentView, b: IncidentView): number =>
  (b.hashes.value ?? 0) - (a.hashes.value ?? 0) || b.since - a.since

/** The last local night that began: 22:00 to 7:00. */
function nightBefore(now: number): { readonly from: number; readonly to: number } {
  const date = new Date(now)
  const back = date.getHours() >= NIGHT_FROM ? 0 : 1
  const at = (day: number, hour: number): number =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate() + day, hour).getTime()
  return { from: at(-back, NIGHT_FROM), to: at(1 - back, NIGHT_TO) }
}

function firstTab(lists: Readonly<Record<Tab, readonly IncidentView[]>>, id: string): Tab {
  const found = id === '' ? undefined : tabs.find((tab) => lists[tab].some((incident) => incident.id === id))
  return found ?? 'now'
}

/** Brings the marked one into view. */
function useMarked(id: string, shown: readonly IncidentView[]): void {
  const isShown = shown.some((incident) => incident.id === id)
  useEffect(() => {
    if (isShown) document.getElementById(`incident-${id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, isShown])
}

interface SumProps {
  readonly incidents: readonly IncidentView[]
  readonly tab: Tab
  readonly now: number
}

function Sum({ incidents, tab, now }: SumProps) {
  const { t, format } = useLanguage()
  const isKnown = incidents.every(({ income }) => income.value !== null)
  const sum = incidents.reduce((total, { income }) => total + BigInt(income.value ?? 0), 0n)
  const { number } = format.laxLost(sum)
  return (
    <>
      {isKnown && (
        <p className={styles.sum} data-testid="incidents-sum">
          <span className={tab === 'now' && sum > 0n ? styles.bad : ''}>
            {number}
            <small>{t(`ui.incidents.lost.${tab}`)}</small>
          </span>
        </p>
      )}
      {tab !== 'earlier' && (
        <When incidents={incidents} {...(tab === 'night' ? nightBefore(now) : { from: now - HOUR_MS, to: now })} />
      )}
    </>
  )
}

const CELLS = 90
const TALL = 28

/** A strip of the period: in each of its cells the causes that were there. */
function When({
  incidents,
  from,
  to,
}: {
  readonly incidents: readonly IncidentView[]
  readonly from: number
  readonly to: number
}) {
  const { t, format } = useLanguage()
  const ends = [from, from + (to - from) / 3, from + (2 * (to - from)) / 3, to]
  const label = t('ui.incidents.strip', { from: format.clock(from), to: format.clock(to) })
  const kindsAt = (cell: number): readonly LossKind[] => {
    const [start, end] = [from + (cell / CELLS) * (to - from), from + ((cell + 1) / CELLS) * (to - from)]
    return lossKinds.filter((kind) =>
      incidents.some((each) => each.kind === kind && each.since < end && (each.until ?? to) > start),
    )
  }
  return (
    <div className={styles.strip}>
      <svg
        width="100%"
        height={TALL}
        viewBox={`0 0 ${CELLS * 6} ${TALL}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {Array.from({ length: CELLS }, (_, cell) => {
          const kinds = kindsAt(cell)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the time
            <g key={cell}>
              <rect x={cell * 6} y="0" width="4.8" height={TALL} fill="var(--panel-3)" />
              {kinds.map((kind, place) => (
                <rect
                  key={kind}
                  x={cell * 6}
                  y={tenth((place * TALL) / kinds.length)}
                  width="4.8"
                  height={tenth(TALL / kinds.length)}
                  fill={lossColor(kind)}
                />
              ))}
            </g>
          )
        })}
      </svg>
      <p className={styles.ends} aria-hidden="true">
        {ends.map((at) => (
          <span key={at}>{format.clock(at)}</span>
        ))}
      </p>
    </div>
  )
}

/** What else needs attention: of the node, the signer and this computer. */
function Findings() {
  const t = useText()
  const { findings } = useHealth()
  if (findings.length === 0) return null
  return (
    <ul className={styles.findings} data-testid="findings">
      {findings.map((finding) => (
        <li key={`${finding.id} ${finding.values.index ?? ''} ${finding.values.name ?? ''}`} data-state={finding.level}>
          <i className={styles[finding.level]} />
          <a href={hrefOf(finding.route)}>{findingText(finding, t)}</a>
        </li>
      ))}
    </ul>
  )
}

function Nothing({ tab }: { readonly tab: Tab }) {
  const t = useText()
  return (
    <p className={styles.nothing}>
      <CheckCircle2 aria-hidden="true" />
      {t(`ui.incidents.none.${tab}`)}
    </p>
  )
}
