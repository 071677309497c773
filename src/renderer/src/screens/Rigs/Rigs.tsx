// All machines on one page: what each does, what they do together, and one command to several.
import { Server } from 'lucide-react'
import { useMemo, useState } from 'react'
import { hrefOf } from '../../app/router'
import { Card } from '../../components/Card'
import { EmptyState, Skeleton } from '../../components/States'
import { TextField } from '../../components/TextField'
import { useText } from '../../i18n/text'
import { selectCanControl } from '../../state/app-store'
import { useApp, useFleet } from '../../state/environment'
import { Screen } from '../Screen'
import { AlarmRules } from './AlarmRules'
import { RigCommands } from './RigCommands'
import styles from './Rigs.module.css'
import { RigTable } from './RigTable'
import { RigTotals } from './RigTotals'

/** From so many on there is a filter. */
const FILTER_FROM = 8

export function Rigs() {
  const t = useText()
  const view = useFleet((state) => state.rigs)
  const hasOthers = view?.rigs.some((rig) => !rig.local) ?? false
  return (
    <Screen title={t('ui.nav.rigs')}>
      {view === null && <Skeleton lines={6} />}
      {view !== null && view.rigs.length > 0 && (
        <>
          <RigTotals />
          <Fleet />
        </>
      )}
      {view !== null && !hasOthers && (
        <Card title={t('ui.rigs.others')}>
          <EmptyState
            icon={Server}
            title={t('ui.rigs.none')}
            action={<a href={hrefOf('/settings/rigs')}>{t('ui.rigs.addSettings')}</a>}
          >
            {t('ui.rigs.noneText')}
          </EmptyState>
        </Card>
      )}
      <AlarmRules />
    </Screen>
  )
}

function Fleet() {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const rigs = useFleet((state) => state.rigs?.rigs ?? [])
  const [filter, setFilter] = useState('')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase()
    return rigs.filter(({ name, host }) => `${name} ${host}`.toLowerCase().includes(wanted))
  }, [rigs, filter])
  const chosen = rigs.filter((rig) => !rig.local && selected.has(rig.name))
  const canSelect = canControl && rigs.some((rig) => !rig.local)
  return (
    <>
      {(canSelect || rigs.length >= FILTER_FROM) && (
        <div className={styles.bar}>
          {rigs.length >= FILTER_FROM && (
            <div className={styles.filter}>
              <TextField
                label={t('ui.rigs.filter')}
                isLabelHidden
                type="search"
                placeholder={t('ui.rigs.filter')}
                value={filter}
                onChange={setFilter}
              />
              <span className="visually-hidden" role="status">
                {filter === '' ? '' : t('ui.rigs.found', { count: shown.length })}
              </span>
            </div>
          )}
          {canSelect && <RigCommands chosen={chosen} />}
        </div>
      )}
      <Card title={t('ui.rigs.all')} isFlush={shown.length > 0}>
        {shown.length === 0 ? (
          <EmptyState icon={Server} title={t('ui.rigs.found', { count: 0 })} />
        ) : (
          <RigTable rigs={shown} selected={selected} onSelect={canSelect ? setSelected : null} />
        )}
      </Card>
    </>
  )
}
