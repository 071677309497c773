// One card per rig where a table doesn't fit: its state and the few figures that matter from a distance.
import type { RigView } from '../../../../contract/rigs'
import { Fact, Facts } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { efficiencyOfRig, hottestOfRig } from '../../state/stores/fleet-store'
import { Value } from '../../widgets/facts/Value'
import { Shares } from '../Overview/MinerCards'
import { takesCommands } from './detail/control-of'
import { RigState } from './RigState'
import styles from './Rigs.module.css'
import { pathOf, type RigTableProps } from './RigTable'

export function RigTiles({ rigs, selected, onSelect }: RigTableProps) {
  return (
    <ul className={styles.tiles}>
      {rigs.map((rig) => (
        <RigTile
          key={rig.name}
          rig={rig}
          isSelected={selected.has(rig.name)}
          onToggle={
            onSelect === null || !takesCommands(rig)
              ? null
              : () =>
                  onSelect((before) => {
                    const next = new Set(before)
                    if (!next.delete(rig.name)) next.add(rig.name)
                    return next
                  })
          }
        />
      ))}
    </ul>
  )
}

interface RigTileProps {
  readonly rig: RigView
  readonly isSelected: boolean
  readonly onToggle: (() => void) | null
}

function RigTile({ rig, isSelected, onToggle }: RigTileProps) {
  const t = useText()
  const { figures } = rig
  const paused = figures?.gpus.filter((gpu) => gpu.paused).length ?? 0
  return (
    <li className={styles.tile} data-testid={`rig-${rig.name}`} data-state={rig.online ? 'online' : 'offline'}>
      <div className={styles.tileHead}>
        {onToggle !== null && (
          <input
            type="checkbox"
            className={styles.check}
            aria-label={t('ui.rigs.select', { name: rig.name })}
            checked={isSelected}
            onChange={onToggle}
          />
        )}
        <div>
          <a href={hrefOf(pathOf(rig))}>
            <ForeignText text={rig.name} />
          </a>
          <span className={styles.sub}>
            <ForeignText text={rig.local ? t('ui.rigs.thisRig') : rig.host} />
          </span>
        </div>
        <div className={styles.tileState}>
          <RigState rig={rig} />
        </div>
      </div>
      {figures !== null && (
        <div className={rig.online ? undefined : styles.muted}>
          <Facts>
            <Fact label={t('ui.gpus.s60')}>
              <Value kind="hashrate" value={figures.hashrate.s60} />
            </Fact>
            <Fact label={t('ui.gpus.power')}>
              <Value kind="watts" value={figures.powerWatts > 0 ? figures.powerWatts : null} />
            </Fact>
            <Fact label={t('ui.gpus.efficiency')}>
              <Value kind="efficiency" value={efficiencyOfRig(rig)} />
            </Fact>
            <Fact label={t('ui.gpus.shares')}>
              <Shares {...figures.shares} />
            </Fact>
            <Fact label={t('ui.rigs.hottest')}>
              <Value kind="celsius" value={hottestOfRig(rig)} />
            </Fact>
            <Fact label={t('ui.gpus.title')}>
              <Value kind="count" value={figures.gpus.length} />
              {paused > 0 && (
                <span className={styles.sub}>{t('ui.rigs.paused', { paused, count: figures.gpus.length })}</span>
              )}
            </Fact>
          </Facts>
        </div>
      )}
    </li>
  )
}
