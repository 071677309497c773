// One line per rig. An offline rig keeps its last figures, muted, with their age and the error in its own words.
import { memo } from 'react'
import type { RigView } from '../../../../contract/rigs'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import table from '../../components/tables/Table.module.css'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { efficiencyOfRig, hottestOfRig } from '../../state/stores/fleet-store'
import { Value } from '../../widgets/facts/Value'
import { useColumnWhy } from '../../widgets/why/ColumnWhy'
import { WhyText } from '../../widgets/why/WhyText'
import { Shares } from '../Overview/MinerCards'
import { takesCommands } from './detail/control-of'
import { RigPool } from './RigPool'
import { RigState } from './RigState'
import styles from './Rigs.module.css'

export interface RigTableProps {
  readonly rigs: readonly RigView[]
  readonly selected: ReadonlySet<string>
  /** Null if rigs can't be commanded. */
  readonly onSelect: ((change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void) | null
}

/** Columns of figures, and what is said of them. */
const numbers = [
  ['ui.gpus.s60', 's60'],
  ['ui.gpus.effective', 'effective'],
  ['ui.gpus.power', 'powerSum'],
  ['ui.gpus.efficiency', 'efficiency'],
  ['ui.gpus.shares', 'rigShares'],
  ['ui.rigs.hottest', 'hottest'],
] as const

type Column = (typeof numbers)[number][1] | 'rigUptime'

export function RigTable({ rigs, selected, onSelect }: RigTableProps) {
  const t = useText()
  const { heading, because } = useColumnWhy<Column>((of) => <WhyText of={of} />)
  const others = rigs.filter(takesCommands).map((rig) => rig.name)
  const toggle = (names: readonly string[], isOn: boolean): void =>
    // Uses the latest selection: rows keep this function from an earlier render.
    onSelect?.((before) => {
      const next = new Set(before)
      for (const name of names) isOn ? next.add(name) : next.delete(name)
      return next
    })
  return (
    <>
      {because}
      <ScrollRegion className={`${table.scroll} ${styles.fleet}`} label={t('ui.rigs.all')}>
        <table className={table.table}>
          <thead>
            <tr>
              {onSelect !== null && (
                <AllRigsCell
                  isChecked={others.length > 0 && others.every((name) => selected.has(name))}
                  onToggle={(isOn) => toggle(others, isOn)}
                />
              )}
              <th scope="col">{t('ui.rigs.name')}</th>
              <th scope="col">{t('ui.rigs.state')}</th>
              {numbers.map(([name, of]) => (
                <th key={of} scope="col" className={table.number}>
                  {heading(of, t(name))}
                </th>
              ))}
              <th scope="col">{t('ui.gpus.title')}</th>
              <th scope="col">{t('ui.rigs.pool')}</th>
              <th scope="col">{heading('rigUptime', t('ui.rigs.uptime'))}</th>
              <th scope="col">{t('ui.rigs.version')}</th>
            </tr>
          </thead>
          <tbody>
            {rigs.map((rig) => (
              <RigRow
                key={rig.name}
                rig={rig}
                isSelected={selected.has(rig.name)}
                onToggle={onSelect === null ? null : (isOn) => toggle([rig.name], isOn)}
              />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  )
}

interface AllRigsCellProps {
  readonly isChecked: boolean
  readonly onToggle: (isOn: boolean) => void
}

function AllRigsCell({ isChecked, onToggle }: AllRigsCellProps) {
  const t = useText()
  return (
    <th scope="col">
      <input
        type="checkbox"
        className={styles.check}
        aria-label={t('ui.rigs.selectAll')}
        checked={isChecked}
        onChange={(event) => onToggle(event.target.checked)}
      />
    </th>
  )
}

interface RigRowProps {
  readonly rig: RigView
  readonly isSelected: boolean
  readonly onToggle: ((isOn: boolean) => void) | null
}

/** Rows are rendered again only when their rig reports something new. */
const RigRow = memo(PlainRigRow, isSameRow)

/** Our own rig has the devices screen. */
export function pathOf({ local, name }: RigView): string {
  return local ? '/gpus' : `/rigs/${encodeURIComponent(name)}`
}

function isSameRow(before: RigRowProps, after: RigRowProps): boolean {
  const isSameKind = (before.onToggle === null) === (after.onToggle === null)
  return before.rig === after.rig && before.isSelected === after.isSelected && isSameKind
}

function PlainRigRow({ rig, isSelected, onToggle }: RigRowProps) {
  const t = useText()
  return (
    <tr
      data-testid={`rig-${rig.name}`}
      data-state={rig.online ? 'online' : 'offline'}
      className={rig.online ? '' : styles.off}
    >
      {onToggle !== null && (
        <td>
          {takesCommands(rig) && (
            <input
              type="checkbox"
              className={styles.check}
              aria-label={t('ui.rigs.select', { name: rig.name })}
              checked={isSelected}
              onChange={(event) => onToggle(event.target.checked)}
            />
          )}
        </td>
      )}
      <th scope="row">
        <a href={hrefOf(pathOf(rig))}>
          <ForeignText text={rig.name} />
        </a>
        <span className={styles.sub}>
          <ForeignText text={rig.local ? t('ui.rigs.thisRig') : rig.host} />
        </span>
      </th>
      <td>
        <RigState rig={rig} />
      </td>
      <RigFigures rig={rig} />
    </tr>
  )
}

function RigFigures({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const format = useFormat()
  const { figures } = rig
  const paused = figures?.gpus.filter((gpu) => gpu.paused).length ?? 0
  const effective = figures === null || figures.hashrate.effective <= 0 ? null : figures.hashrate.effective
  return (
    <>
      <td className={table.number}>
        <Value kind="hashrate" value={figures?.hashrate.s60} />
      </td>
      <td className={table.number}>
        <Value kind="hashrate" value={effective} />
      </td>
      <td className={table.number}>
        <Value kind="watts" value={figures === null || figures.powerWatts <= 0 ? null : figures.powerWatts} />
      </td>
      <td className={table.number}>
        <Value kind="efficiency" value={efficiencyOfRig(rig)} />
      </td>
      <td className={table.number}>{figures === null ? format.text('count', null) : <Shares {...figures.shares} />}</td>
      <td className={table.number}>
        <Value kind="celsius" value={hottestOfRig(rig)} />
      </td>
      <td>
        <Value kind="count" value={figures?.gpus.length} />
        {figures !== null && paused > 0 && (
          <span className={styles.sub}>{t('ui.rigs.paused', { paused, count: figures.gpus.length })}</span>
        )}
      </td>
      <td className={styles.pool}>
        <RigPool pool={figures?.pool ?? null} />
      </td>
      <td>{format.text('duration', figures?.uptimeSeconds)}</td>
      <td>
        <ForeignText text={figures?.version ?? format.text('count', null)} />
      </td>
    </>
  )
}
