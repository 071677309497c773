// All machines on one page: what each does, their totals, and commands to several at once.
import { Plus, Server } from 'lucide-react'
import { useMemo, useState } from 'react'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useApp, useFleet } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { EmptyState, Skeleton } from '../../widgets/facts/States'
import { Screen } from '../Screen'
import { AlarmRules } from './AlarmRules'
import { takesCommands } from './detail/control-of'
import { RigCommands } from './detail/RigCommands'
import { NotKept } from './NotKept'
import { RigForm } from './RigForm'
import styles from './Rigs.module.css'
import { RigTable } from './RigTable'
import { RigTiles } from './RigTile'
import { RigTotals } from './RigTotals'
import { useMedia } from './use-media'

/** From this many rigs on, there is a filter. */
const FILTER_FROM = 8

export function Rigs() {
  const t = useText()
  const view = useFleet((state) => state.rigs)
  const hasOthers = view?.rigs.some((rig) => !rig.local) ?? false
  return (
    <Screen title={t('ui.nav.rigs')} actions={<AddRig />}>
      <NotKept />
      {view === null && <Skeleton lines={6} />}
      {view !== null && view.rigs.length > 0 && (
        <>
          <RigTotals />
          <Fleet />
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
  const canControl = useApp(selectCanControl)
  const isEditable = useFleet((state) => state.rigs?.isEditable ?? false)
  const [isOpen, setOpen] = useState(false)
  const [added, setAdded] = useState('')
  if (!canControl || !isEditable) return null
  return (
    <>
      {added !== '' && (
        <span className={styles.done} role="status" data-testid="rig-added">
          <ForeignText text={t('ui.rigs.added', { name: added })} />
        </span>
      )}
      <Button
        variant="primary"
        size="small"
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

/** Below this width a card per rig replaces the table. */
const PHONE_QUERY = '(max-width: 639px)'

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
  const chosen = rigs.filter((rig) => takesCommands(rig) && selected.has(rig.name))
  const isPhone = useMedia(PHONE_QUERY)
  const List = isPhone ? RigTiles : RigTable
  const canSelect = canControl && rigs.some(takesCommands)
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
          <List rigs={shown} selected={selected} onSelect={canSelect ? setSelected : null} />
        )}
      </Card>
    </>
  )
}
