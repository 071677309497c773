// All machines on one page: every GPU at a glance, a table to search, sort and group, and commands to several at once.
import { Bookmark, CircleCheck, Plus, Server, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ruleBounds } from '../../../../contract/incidents'
import type { RigView } from '../../../../contract/rigs'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useCanControl, useEnvironment, useOperation, usePreference } from '../../state/environment'
import { useIncidentRules } from '../../state/incidents'
import { rigGroupings, rigViews } from '../../state/preferences'
import { selectIsMonitor } from '../../state/stores/program-store'
import { Button } from '../../widgets/controls/Button'
import { EmptyState, Skeleton } from '../../widgets/facts/States'
import { RuleField, RulesFault } from '../../widgets/incidents/RuleField'
import { Screen } from '../Screen'
import { RigCommands } from './detail/RigCommands'
import { takesCommands } from './detail/rig-commands'
import { NotKept } from './NotKept'
import { RigForm } from './RigForm'
import { useMedia } from './RigState'
import rigsStyles from './Rigs.module.css'
import { pathOf, RigTable, useTrouble } from './RigTable'
import styles from './RigTable.module.css'
import { RigTotals } from './RigTotals'
import { RigWall } from './RigWall'
import {
  countOf,
  FIRST_QUERY,
  factsOf,
  groupsOf,
  matching,
  type RigColumn,
  type RigFacts,
  type RigFilter,
  type RigQuery,
  rigRows,
  worstFirst,
} from './rig-rows'

/** From this many GPUs on, the wall shows more than the table does. */
const WALL_FROM = 12
const MAX_VIEWS = 12

export function Rigs() {
  const t = useText()
  const view = useOperation((state) => state.rigs)
  const hasOthers = view?.rigs.some((rig) => !rig.local) ?? false
  return (
    <Screen title={t('ui.nav.rigs')} actions={<AddRig />}>
      <NotKept />
      {view === null && <Skeleton lines={6} />}
      {view !== null && view.rigs.length > 0 && (
        <>
          <RigTotals />
          <RigList />
        </>
      )}
      {view !== null && !hasOthers && (
        <Card title={t('ui.rigs.others')}>
          <EmptyState icon={Server} title={t(view.mining ? 'ui.rigs.none' : 'ui.rigs.noneAtAll')}>
            {t('ui.rigs.noneText')}
          </EmptyState>
        </Card>
      )}
      <AlarmRules />
    </Screen>
  )
}

/** Absent if nothing may be changed. */
function AddRig() {
  const t = useText()
  const canControl = useCanControl()
  const isEditable = useOperation((state) => state.rigs?.isEditable ?? false)
  const [isOpen, setOpen] = useState(false)
  const [added, setAdded] = useState('')
  if (!canControl || !isEditable) return null
  return (
    <>
      {added !== '' && (
        <span className={styles.ok} role="status" data-testid="rig-added">
          <ForeignText text={t('ui.rigs.added', { name: added })} />
        </span>
      )}
      <Button
        variant="primary"
        needsContact
        data-testid="rig-add"
        icon={<Plus aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {t('ui.rigs.add')}
      </Button>
      {isOpen && (
        <RigForm
          rig={null}
          onClose={() => setOpen(false)}
          onSaved={(name) => {
            setOpen(false)
            setAdded(name)
          }}
        />
      )}
    </>
  )
}

/** Below this width a list, worst first, replaces the table. */
const PHONE_QUERY = '(max-width: 639px)'
const NO_RIGS: readonly RigView[] = []

function RigList() {
  const canControl = useCanControl()
  const rigs = useOperation((state) => state.rigs?.rigs ?? NO_RIGS)
  const facts = useMemo(() => factsOf(rigs), [rigs])
  const isPhone = useMedia(PHONE_QUERY)
  const table = useRigTable(facts)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const canSelect = canControl && rigs.some(takesCommands)
  const chosen = rigs.filter((rig) => takesCommands(rig) && selected.has(rig.name))
  const select = (names: readonly string[], isOn: boolean): void =>
    // Uses the latest selection: rows keep this function from an earlier render.
    setSelected((before) => {
      const next = new Set(before)
      for (const name of names) isOn ? next.add(name) : next.delete(name)
      return next
    })
  if (isPhone) return <WorstRigs all={facts} />
  const gpus = facts.reduce((sum, each) => sum + each.gpus, 0)
  return (
    <>
      {gpus >= WALL_FROM && <RigWall groups={table.groups} onOpen={table.show} />}
      <Views all={facts} {...table} />
      <RigTable
        rows={table.rows}
        query={table.query}
        onSort={table.sort}
        onOpen={table.toggle}
        selected={selected}
        onSelect={canSelect ? select : null}
      />
      {canSelect && <RigCommands chosen={chosen} onClear={() => setSelected(new Set())} />}
    </>
  )
}

function useRigTable(facts: readonly RigFacts[]) {
  const hasGroups = facts.some(({ group }) => group !== '')
  const [query, setQuery] = useState<RigQuery>(() => ({ ...FIRST_QUERY, grouping: hasGroups ? 'group' : 'none' }))
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => rigRows(facts, query, open), [facts, query, open])
  const groups = useMemo(
    () =>
      groupsOf(facts, hasGroups ? 'group' : 'model')
        .map(({ name, sums }) => ({ name, rigs: sums.rigs }))
        .sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true })),
    [facts, hasGroups],
  )
  const toggle = (group: string): void =>
    setOpen((before) => {
      const next = new Set(before)
      if (!next.delete(group)) next.add(group)
      return next
    })
  return {
    query,
    setQuery,
    rows,
    groups,
    toggle,
    /** Only this group, open. */
    show: (group: string): void => {
      setQuery((before) => ({ ...before, text: '', filter: 'all', grouping: hasGroups ? 'group' : 'model' }))
      setOpen(new Set([group]))
    },
    /** The same column again: the other direction. Figures begin with the largest. */
    sort: (column: RigColumn): void =>
      setQuery((before) => ({
        ...before,
        sort: column,
        isDescending:
          before.sort === column ? !before.isDescending : !['name', 'state', 'pool', 'version'].includes(column),
      })),
  }
}

type ViewsProps = Pick<ReturnType<typeof useRigTable>, 'query' | 'setQuery' | 'rows'> & {
  readonly all: readonly RigFacts[]
}

/** The views with their counts, those saved on this device, and the tools of the table. */
function Views({ all, query, setQuery, rows }: ViewsProps) {
  const t = useText()
  const shown = rows.reduce((sum, row) => sum + (row.kind === 'rig' ? 1 : row.isOpen ? 0 : row.sums.rigs.length), 0)
  return (
    <div className={styles.views}>
      <fieldset className={styles.tabs}>
        <legend className="visually-hidden">{t('ui.rigs.views')}</legend>
        {rigViews.map((filter) => (
          <button
            key={filter}
            type="button"
            className={styles.tab}
            aria-pressed={query.filter === filter}
            data-testid={`rig-view-${filter}`}
            onClick={() => setQuery((before) => ({ ...before, filter }))}
          >
            {t(`ui.rigs.view.${filter}`)}
            <span className={styles.count}>{countOf(all, filter)}</span>
          </button>
        ))}
        <SavedViews query={query} onPick={(saved) => setQuery(() => saved)} />
      </fieldset>
      <div className={styles.viewTools}>
        <TextField
          label={t('ui.rigs.filter')}
          isLabelHidden
          type="search"
          placeholder={t('ui.rigs.filterHint')}
          value={query.text}
          onChange={(text) => setQuery((before) => ({ ...before, text }))}
        />
        <span className="visually-hidden" role="status">
          {query.text === '' ? '' : t('ui.rigs.found', { count: shown })}
        </span>
        <select
          aria-label={t('ui.rigs.groupBy')}
          data-testid="rig-grouping"
          value={query.grouping}
          onChange={(event) => {
            const grouping = rigGroupings.find((each) => each === event.target.value) ?? 'none'
            setQuery((before) => ({ ...before, grouping }))
          }}
        >
          {rigGroupings.map((grouping) => (
            <option key={grouping} value={grouping}>
              {t(`ui.rigs.grouping.${grouping}`)}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

/** A view is what the table shows now, under a name. */
function SavedViews({ query, onPick }: { readonly query: RigQuery; readonly onPick: (query: RigQuery) => void }) {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const saved = usePreference((state) => state.rigViews)
  const [name, setName] = useState<string | null>(null)
  const isShown = (view: RigQuery): boolean => JSON.stringify(view) === JSON.stringify(query)
  const save = (): void => {
    const text = (name ?? '').trim()
    if (text === '') return
    const others = saved.filter((view) => view.name !== text)
    preferences.setState({ rigViews: [...others, { name: text, query }].slice(-MAX_VIEWS) })
    setName(null)
  }
  return (
    <>
      {saved.map((view) => (
        <span key={view.name} className={styles.state}>
          <button
            type="button"
            className={styles.tab}
            aria-pressed={isShown(view.query)}
            onClick={() => onPick(view.query)}
          >
            {view.name}
          </button>
          {isShown(view.query) && (
            <Button
              variant="quiet"
              size="small"
              icon={<Trash2 aria-hidden="true" />}
              aria-label={t('ui.rigs.dropView', { name: view.name })}
              onClick={() => preferences.setState({ rigViews: saved.filter((each) => each !== view) })}
            />
          )}
        </span>
      ))}
      {name === null ? (
        <Button
          variant="quiet"
          size="small"
          data-testid="rig-save-view"
          icon={<Bookmark aria-hidden="true" />}
          onClick={() => setName('')}
        >
          {t('ui.rigs.saveView')}
        </Button>
      ) : (
        <NewView name={name} onName={setName} onSave={save} />
      )}
    </>
  )
}

interface NewViewProps {
  readonly name: string
  /** Null: no view is saved after all. */
  readonly onName: (name: string | null) => void
  readonly onSave: () => void
}

function NewView({ name, onName, onSave }: NewViewProps) {
  const t = useText()
  return (
    <form
      className={styles.state}
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <TextField
        label={t('ui.rigs.viewName')}
        isLabelHidden
        placeholder={t('ui.rigs.viewName')}
        maxLength={24}
        value={name}
        onChange={onName}
      />
      <Button type="submit" size="small" disabledReason={name.trim() === '' ? t('ui.rigs.viewName') : undefined}>
        {t('ui.settings.save')}
      </Button>
      <Button variant="quiet" size="small" onClick={() => onName(null)}>
        {t('ui.common.cancel')}
      </Button>
    </form>
  )
}

const MAX_SHOWN = 100

function WorstRigs({ all }: { readonly all: readonly RigFacts[] }) {
  const t = useText()
  const [view, setView] = useState<RigFilter | 'worst'>('worst')
  const worst = useMemo(() => worstFirst(all), [all])
  const shown = view === 'worst' ? worst : matching(all, { ...FIRST_QUERY, filter: view })
  const chips = [
    ['worst', worst.length] as const,
    ...rigViews.filter((each) => each !== 'all').map((each) => [each, countOf(all, each)] as const),
    ['all', all.length] as const,
  ]
  return (
    <section className={styles.worst} aria-label={t('ui.rigs.view.worst')} data-testid="rigs-worst">
      <div className={styles.chips}>
        {chips.map(([name, count]) => (
          <button
            key={name}
            type="button"
            className={styles.chip}
            aria-pressed={view === name}
            data-testid={`rig-view-${name}`}
            onClick={() => setView(name)}
          >
            {t(`ui.rigs.view.${name}`)}
            <span className={styles.count}>{count}</span>
          </button>
        ))}
      </div>
      <ul>
        {shown.slice(0, MAX_SHOWN).map((facts) => (
          <Line key={facts.rig.name} facts={facts} />
        ))}
      </ul>
      {shown.length > MAX_SHOWN && (
        <p className={styles.faint}>{t('ui.rigs.awayMore', { count: shown.length - MAX_SHOWN })}</p>
      )}
      {view === 'worst' && (
        <p className={styles.ok}>
          <span className={styles.state}>
            <CircleCheck aria-hidden="true" />
            {t('ui.rigs.fine', { count: all.length - worst.length })}
          </span>
        </p>
      )}
    </section>
  )
}

function Line({ facts }: { readonly facts: RigFacts }) {
  const { t, format } = useLanguage()
  const { rig, state, rate, hottest, usual, heat } = facts
  const level =
    state === 'offline' || state === 'stopped' || heat === 'danger' ? 'danger' : state === 'online' ? 'ok' : 'warn'
  const share = usual === null ? null : format.text('wholePercent', 100 * usual)
  return (
    <li data-testid={`rig-${rig.name}`} data-state={rig.online ? 'online' : 'offline'} data-level={level}>
      <a href={hrefOf(pathOf(rig))}>
        <i />
        <b>
          <ForeignText text={rig.name} />
        </b>
        <span className={level === 'danger' ? styles.danger : undefined}>
          {rig.online ? format.text('hashrate', rate) : t('ui.rigs.offline')}
        </span>
        <small>
          <Why facts={facts} />
        </small>
        <em>{rig.online ? (share ?? format.text('celsius', hottest)) : facts.model}</em>
      </a>
    </li>
  )
}

function Why({ facts }: { readonly facts: RigFacts }) {
  const { t, format } = useLanguage()
  const { rig, state, stopped, hottest, usual, group, model } = facts
  const trouble = useTrouble(facts)
  if (!rig.online) {
    const age =
      rig.ageSeconds === null ? t('ui.rigs.never') : t('ui.rigs.lastSeen', { age: format.age(rig.ageSeconds * 1000) })
    return <ForeignText text={rig.error === '' ? age : `${age}: ${rig.error}`} />
  }
  if (state === 'stopped') return t('ui.rigs.countStopped', { count: stopped })
  if (state === 'troubled') return <ForeignText text={trouble} />
  if (state === 'unknown') return t('ui.rigs.unknown')
  if (state === 'slow') return t('ui.rigs.slowBy', { share: format.text('wholePercent', 100 * (usual ?? 0)) })
  if (state === 'hot') return t('ui.rigs.hotAt', { celsius: format.text('celsius', hottest) })
  if (state === 'paused') return t('ui.rigs.paused', { paused: facts.gpus, count: facts.gpus })
  return <ForeignText text={[group, model].filter((text) => text !== '').join(', ')} />
}

type RuleName = keyof typeof ruleBounds
const ruleNames = Object.keys(ruleBounds) as readonly RuleName[]

/** When pools and rigs raise an alarm, and whether it has a sound. */
function AlarmRules() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const sounds = usePreference((state) => state.alarmSounds)
  const rules = useIncidentRules()
  // Monitors without a miner have no devices and no pool.
  const isMonitor = useOperation(selectIsMonitor)
  const shown = isMonitor ? ruleNames.filter((name) => name.startsWith('rig')) : ruleNames
  if (rules === null) return <RulesFault title={t('ui.alarms.rules')} />
  return (
    <Card title={t('ui.alarms.rules')} testId="alarm-rules">
      <p className={rigsStyles.soft}>{t('ui.alarms.rulesText')}</p>
      <div className={rigsStyles.rules}>
        {shown.map((name) => (
          <RuleField
            key={name}
            label={t(`ui.alarms.${name}`)}
            testId={`alarm-rule-${name}`}
            bounds={ruleBounds[name]}
            value={rules[name]}
            change={(value) => (kept) => ({ ...kept, [name]: value })}
          />
        ))}
      </div>
      <label className={rigsStyles.sounds}>
        <input
          type="checkbox"
          className={rigsStyles.check}
          checked={sounds}
          data-testid="alarm-sounds"
          onChange={(event) => preferences.setState({ alarmSounds: event.target.checked })}
        />
        <span>{t('ui.alarms.sounds')}</span>
      </label>
    </Card>
  )
}
