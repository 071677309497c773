// The rigs as a table that renders only the rows in view: sorted by any column, in groups with subtotals. An offline
// rig keeps its last figures, muted, with their age and the error in its own words.
import {
  ChevronDown,
  ChevronRight,
  ChevronUp,
  CircleCheck,
  CircleDashed,
  Flame,
  OctagonAlert,
  Pause,
  TriangleAlert,
  Unplug,
} from 'lucide-react'
import { type CSSProperties, memo, type ReactNode } from 'react'
import type { RigView } from '../../../../contract/rigs'
import { VirtualTable } from '../../components/tables/VirtualTable'
import { ForeignText } from '../../components/values/HexText'
import { type useFormat, useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { takesCommands } from './detail/rig-commands'
import { poolName } from './RigState'
import styles from './RigTable.module.css'
import {
  FAULTY_SHARE,
  type GroupRowView,
  type Heat,
  type RigColumn,
  type RigFacts,
  type RigQuery,
  type RigRowView,
  type RigState,
  SLOW_SHARE,
} from './rig-rows'

const ROW_PX = 33

interface RigTableProps {
  readonly rows: readonly (RigRowView | GroupRowView)[]
  readonly query: RigQuery
  readonly onSort: (column: RigColumn) => void
  readonly onOpen: (group: string) => void
  readonly selected: ReadonlySet<string>
  /** Null if rigs can't be commanded. */
  readonly onSelect: ((names: readonly string[], isOn: boolean) => void) | null
}

const columns = [
  ['state', 'ui.rigs.state', '', 'text'],
  ['rate', 'ui.rigs.metric.usual', 'rate', 'number'],
  ['usual', 'ui.rigs.ofUsual', '', 'number'],
  ['power', 'ui.gpus.power', 'W', 'number'],
  ['efficiency', 'ui.gpus.efficiency', '', 'number middle'],
  ['hottest', 'ui.rigs.hottest', '', 'number'],
  ['gpus', 'ui.gpus.title', '', 'number'],
  ['rejected', 'ui.rigs.rejected', '%', 'number low'],
  ['pool', 'ui.rigs.pool', '', 'words low'],
  ['uptime', 'ui.rigs.uptime', '', 'number low'],
  ['version', 'ui.rigs.version', '', 'words middle'],
] as const

export function RigTable(props: RigTableProps) {
  const { rows, onSelect, selected } = props
  const { t, format } = useLanguage()
  const largest = Math.max(0, ...rows.map((row) => (row.kind === 'rig' ? (row.facts.rate ?? 0) : row.sums.rate)))
  const prefix = format.hashratePrefix(largest)
  const select = onSelect ?? undefined
  return (
    <VirtualTable
      label={t('ui.rigs.all')}
      count={rows.length}
      rowPx={ROW_PX}
      heightPx={null}
      look={{ region: styles.scroll, table: onSelect === null ? `${styles.table} ${styles.plain}` : styles.table }}
      head={<Head {...props} unit={format.hashrateUnit(prefix)} />}
      row={(index) => {
        const row = rows[index]
        if (row === undefined) return null
        return row.kind === 'group' ? (
          <GroupRow
            key={row.key}
            row={row}
            prefix={prefix}
            selected={selected}
            onOpen={props.onOpen}
            onSelect={select}
          />
        ) : (
          <RigRow
            key={row.key}
            facts={row.facts}
            prefix={prefix}
            isMember={props.query.grouping !== 'none'}
            isSelected={selected.has(row.facts.rig.name)}
            onSelect={select}
          />
        )
      }}
    />
  )
}

function Head({ rows, query, onSort, selected, onSelect, unit }: RigTableProps & { readonly unit: string }) {
  const t = useText()
  const names = rows.flatMap((row) => namesOf(row))
  return (
    <tr>
      {onSelect !== null && (
        <th scope="col">
          <input
            type="checkbox"
            className={styles.check}
            aria-label={t('ui.rigs.selectAll')}
            checked={names.length > 0 && names.every((name) => selected.has(name))}
            onChange={(event) => onSelect(names, event.target.checked)}
          />
        </th>
      )}
      <SortHead column="name" query={query} onSort={onSort} className={styles.first}>
        {t('ui.rigs.name')}
      </SortHead>
      {columns.map(([column, label, of, kind]) => (
        <SortHead key={column} column={column} query={query} onSort={onSort} className={classOf(kind)}>
          {t(label)} {of !== '' && <i>{of === 'rate' ? unit : of}</i>}
        </SortHead>
      ))}
    </tr>
  )
}

/** Of all rigs that a row stands for and that can be commanded. */
function namesOf(row: RigRowView | GroupRowView): readonly string[] {
  const all = row.kind === 'rig' ? [row.facts] : row.sums.rigs
  return all.filter(({ rig }) => takesCommands(rig)).map(({ rig }) => rig.name)
}

const classOf = (kind: string): string =>
  kind
    .split(' ')
    .map((name) => styles[name] ?? '')
    .join(' ')

interface SortHeadProps extends Pick<RigTableProps, 'query' | 'onSort'> {
  readonly column: RigColumn
  readonly className: string | undefined
  readonly children: ReactNode
}

function SortHead({ column, query, onSort, className, children }: SortHeadProps) {
  const isSorted = query.sort === column
  const Icon = query.isDescending ? ChevronDown : ChevronUp
  return (
    <th
      scope="col"
      className={className}
      {...(isSorted ? { 'aria-sort': query.isDescending ? ('descending' as const) : ('ascending' as const) } : {})}
    >
      <button type="button" data-testid={`rig-sort-${column}`} onClick={() => onSort(column)}>
        {children}
        {isSorted && <Icon aria-hidden="true" />}
      </button>
    </th>
  )
}

interface GroupRowProps {
  readonly row: GroupRowView
  /** Of the column's hashrate unit. */
  readonly prefix: number
  readonly selected: ReadonlySet<string>
  readonly onOpen: RigTableProps['onOpen']
  readonly onSelect: ((names: readonly string[], isOn: boolean) => void) | undefined
}

function GroupRow({ row, prefix, selected, onOpen, onSelect }: GroupRowProps) {
  const { t, format } = useLanguage()
  const { name, isOpen, sums } = row
  const names = namesOf(row)
  const title = name === '' ? t('ui.rigs.noGroup') : name
  const online = sums.rigs.length - sums.offline
  const [Icon, tone, word] =
    sums.offline > 0
      ? [Unplug, styles.danger, t('ui.rigs.countOffline', { count: sums.offline })]
      : sums.troubled > 0
        ? [TriangleAlert, styles.warn, t('ui.rigs.countTroubled', { count: sums.troubled })]
        : [CircleCheck, styles.ok, t('ui.rigs.countOnline', { count: online })]
  return (
    <tr className={styles.group} data-testid={`rig-group-${name}`}>
      {onSelect !== undefined && (
        <td>
          <input
            type="checkbox"
            className={styles.check}
            aria-label={t('ui.rigs.select', { name: title })}
            checked={names.length > 0 && names.every((each) => selected.has(each))}
            onChange={(event) => onSelect(names, event.target.checked)}
          />
        </td>
      )}
      <th scope="row" className={styles.first}>
        <button type="button" className={styles.twisty} aria-expanded={isOpen} onClick={() => onOpen(name)}>
          <ChevronRight aria-hidden="true" />
          <ForeignText text={title} />
          <span title={sums.model}>
            {sums.rigs.length} {sums.model !== '' && <ForeignText text={`× ${sums.model}`} />}
          </span>
        </button>
      </th>
      <td className={tone}>
        <span className={styles.state}>
          <Icon aria-hidden="true" />
          {word}
        </span>
      </td>
      <td className={styles.number}>
        <Bar share={sums.usual}>{format.hashrateIn(sums.rate, prefix)}</Bar>
      </td>
      <td className={styles.number}>{format.text('wholePercent', percentOf(sums.usual))}</td>
      <td className={styles.number}>{wattsText(sums.power, format)}</td>
      <td className={classOf('number middle')}>{format.text('efficiency', sums.efficiency)}</td>
      <td className={`${styles.number} ${heatClass(sums.heat)}`}>{format.text('celsius', sums.hottest)}</td>
      <td className={styles.number}>
        {sums.mining}
        <span className={styles.faint}>/{sums.gpus}</span>
      </td>
      <td className={styles.low} />
      <td className={styles.low} />
      <td className={styles.low} />
      <td className={classOf('words middle warn')}>{sums.old > 0 && t('ui.rigs.countOld', { count: sums.old })}</td>
    </tr>
  )
}

interface RigRowProps {
  readonly facts: RigFacts
  readonly prefix: number
  readonly isMember: boolean
  readonly isSelected: boolean
  readonly onSelect: ((names: readonly string[], isOn: boolean) => void) | undefined
}

/** Rendered again only when its rig reports something new. */
const RigRow = memo(PlainRigRow, (before, after) => {
  const isSameLook = before.isSelected === after.isSelected && before.isMember === after.isMember
  const isSameKind =
    (before.onSelect === undefined) === (after.onSelect === undefined) && before.prefix === after.prefix
  return isSameLook && isSameKind && before.facts.rig === after.facts.rig && before.facts.isOld === after.facts.isOld
})

/** Our own rig has the devices screen. */
export function pathOf({ local, name }: RigView): string {
  return local ? '/gpus' : `/rigs/${encodeURIComponent(name)}`
}

function PlainRigRow({ facts, prefix, isMember, isSelected, onSelect }: RigRowProps) {
  const t = useText()
  const { rig } = facts
  return (
    <tr
      data-testid={`rig-${rig.name}`}
      data-state={rig.online ? 'online' : 'offline'}
      aria-selected={isSelected || undefined}
      className={rig.online ? '' : styles.stale}
    >
      {onSelect !== undefined && (
        <td>
          {takesCommands(rig) && (
            <input
              type="checkbox"
              className={styles.check}
              aria-label={t('ui.rigs.select', { name: rig.name })}
              checked={isSelected}
              onChange={(event) => onSelect([rig.name], event.target.checked)}
            />
          )}
        </td>
      )}
      <th scope="row" className={`${styles.first} ${isMember ? styles.member : ''}`}>
        <a href={hrefOf(pathOf(rig))} title={rig.local ? t('ui.rigs.thisRig') : rig.host}>
          <ForeignText text={rig.name} />
        </a>{' '}
        {rig.local && <span className={styles.faint}>{t('ui.rigs.thisRig')}</span>}
      </th>
      <td>
        <StateText facts={facts} />
      </td>
      <Figures facts={facts} prefix={prefix} />
    </tr>
  )
}

const icons: Readonly<Record<RigState, typeof Flame>> = {
  offline: Unplug,
  stopped: OctagonAlert,
  troubled: TriangleAlert,
  unknown: CircleDashed,
  slow: TriangleAlert,
  hot: Flame,
  paused: Pause,
  online: CircleCheck,
}
const tones: Readonly<Record<RigState, string | undefined>> = {
  offline: styles.danger,
  stopped: styles.danger,
  troubled: styles.warn,
  unknown: styles.faint,
  slow: styles.warn,
  hot: styles.warn,
  paused: styles.faint,
  online: styles.ok,
}

/** Its state in a word or two; offline since when, with the rig's or the system's own words. */
function StateText({ facts }: { readonly facts: RigFacts }) {
  const { t, format } = useLanguage()
  const { rig, state, stopped } = facts
  const Icon = icons[state]
  const age = rig.ageSeconds === null ? null : format.age(rig.ageSeconds * 1000)
  const trouble = useTrouble(facts)
  const word =
    state === 'stopped'
      ? t('ui.rigs.countStopped', { count: stopped })
      : state === 'troubled'
        ? trouble
        : state === 'offline' && age === null
          ? t('ui.rigs.never')
          : t(state === 'paused' ? 'ui.rigs.isPaused' : `ui.rigs.${state}`)
  return (
    <span className={`${styles.state} ${state === 'online' ? styles.ok : (tones[state] ?? '')}`}>
      <Icon aria-hidden="true" />
      {trouble === '' ? (
        <span>{word}</span>
      ) : (
        <span className={styles.word} title={trouble}>
          <ForeignText text={word} />
        </span>
      )}
      {age !== null && !rig.local && !rig.online && (
        <span className={styles.faint} data-testid={`rig-age-${rig.name}`} data-value={rig.ageSeconds ?? ''}>
          {t('ui.rigs.lastSeen', { age })}
        </span>
      )}
      {rig.error !== '' && (
        <span className={styles.why} title={rig.error} data-testid={`rig-error-${rig.name}`}>
          <ForeignText text={rig.error} />
        </span>
      )}
    </span>
  )
}

/** What is wrong with its pool, in the rig's words if it has some; empty without trouble. */
export function useTrouble({ rig, trouble, rejected }: RigFacts): string {
  const { t, format } = useLanguage()
  const { host = '', warning = '' } = rig.figures?.pool ?? {}
  if (trouble === 'warning') return warning
  if (trouble === 'disconnected') return t('ui.rigs.noContact', { pool: poolName(host, t) })
  return trouble === 'rejected' ? t('ui.rigs.manyRejected', { share: format.text('percent', rejected) }) : ''
}

function Figures({ facts, prefix }: { readonly facts: RigFacts; readonly prefix: number }) {
  const { t, format } = useLanguage()
  const { rig, rate, usual, power, efficiency, hottest, heat, mining, gpus, rejected, pool, uptime, version, isOld } =
    facts
  const warning = rig.figures?.pool.warning ?? ''
  return (
    <>
      <td className={styles.number} data-value={rate ?? ''}>
        <Bar share={usual}>{format.hashrateIn(rate, prefix)}</Bar>
      </td>
      <td className={styles.number}>{format.text('wholePercent', percentOf(usual))}</td>
      <td className={styles.number}>{wattsText(power, format)}</td>
      <td className={classOf('number middle')}>{format.text('efficiency', efficiency)}</td>
      <td className={`${styles.number} ${heatClass(heat)}`}>{format.text('celsius', hottest)}</td>
      <td className={styles.number}>
        {rig.online && uptime !== null ? mining : '–'}
        <span className={styles.faint}>/{uptime === null ? '–' : gpus}</span>
      </td>
      <td className={classOf('number low')}>
        {rejected === null ? '–' : format.text('percent', rejected).replace(/\s?%/, '')}
      </td>
      <td className={classOf('words low')} title={warning === '' ? pool : warning}>
        <span className={warning === '' ? undefined : styles.warn}>
          <ForeignText text={pool === '' ? '–' : poolName(pool, t)} />
        </span>
      </td>
      <td className={classOf('number low')}>{format.text('duration', uptime)}</td>
      <td className={classOf(`words middle ${isOld ? 'warn' : 'faint'}`)}>
        <ForeignText text={version === '' ? '–' : version} />
      </td>
    </>
  )
}

function percentOf(share: number | null): number | null {
  return share === null ? null : 100 * share
}

function wattsText(watts: number | null, format: ReturnType<typeof useFormat>): string {
  return format.text('count', watts === null ? null : Math.round(watts))
}

function heatClass(heat: Heat): string {
  return heat === null ? '' : (styles[heat] ?? '')
}

/** A figure over a bar as long as its share of the usual one; none where that isn't known. */
function Bar({ share, children }: { readonly share: number | null; readonly children: ReactNode }) {
  if (share === null) return children
  const level = share < FAULTY_SHARE ? 'danger' : share < SLOW_SHARE ? 'warn' : 'ok'
  const part = { '--part': `${Math.round(100 * Math.min(1, share))}%` } as CSSProperties
  return (
    <span className={styles.bar} style={part} data-level={level}>
      {children}
    </span>
  )
}
