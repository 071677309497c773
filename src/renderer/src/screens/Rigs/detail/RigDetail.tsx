// The page of one rig: its state, its GPUs, and its history. Sends commands if the rig accepts them from here.
import { Server } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RigView } from '../../../../../contract/rigs'
import { ForeignText } from '../../../components/values/HexText'
import { useText } from '../../../i18n/text'
import { useApp, useEnvironment, useOperation } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { selectRig } from '../../../state/stores/operation-store'
import { EmptyState, Skeleton } from '../../../widgets/facts/States'
import { BackLink } from '../../BackLink'
import { Screen } from '../../Screen'
import { NotKept } from '../NotKept'
import { RigCard } from '../RigCard'
import styles from '../Rigs.module.css'
import { RigCharts } from './RigCharts'
import { RigGpus } from './RigGpus'
import { RigOrders } from './RigOrders'
import { RigTools } from './RigTools'
import { accessOf, takesCommands } from './rig-commands'
import { createRigControls, type RigControls } from './rig-controls'

export function RigDetail({ name }: { readonly name: string }) {
  const t = useText()
  const rig = useOperation(selectRig(name))
  const isKnown = useOperation((state) => state.rigs !== null)
  return (
    <>
      <BackLink route="/rigs">{t('ui.nav.rigs')}</BackLink>
      {!isKnown && <Skeleton lines={6} />}
      {isKnown && rig === undefined && <EmptyState icon={Server} title={t('ui.rigs.noSuch', { name })} />}
      {rig !== undefined && <Known rig={rig} />}
    </>
  )
}

function Known({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const all = useRigControls(rig.name)
  const canControl = useApp(selectCanControl)
  const access = accessOf(rig)
  const controls = canControl && (access === 'open' || access === 'offline') ? all : null
  return (
    <Screen title={<ForeignText text={rig.name} />} actions={<RigTools rig={rig} />}>
      {controls !== null && <RigOrders rig={rig} controls={controls} />}
      {controls === null && canControl && <WhyReadOnly rig={rig} />}
      <NotKept />
      <RigCard rig={rig} />
      {rig.figures === null ? (
        <EmptyState icon={Server} title={t('ui.rigs.noFigures')} />
      ) : (
        <RigGpus rig={rig} controls={controls} />
      )}
      {rig.figures !== null && takesCommands(rig) && <RigCharts rig={rig} />}
    </Screen>
  )
}

/** Tells users with control here why this rig can't be controlled. */
function WhyReadOnly({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const access = accessOf(rig)
  if (rig.worker !== null) return <p className={styles.note}>{t('ui.rigs.servedNote')}</p>
  if (rig.local || (access !== 'noControl' && access !== 'noToken')) return null
  return (
    <p className={styles.note} role="note" data-testid="rig-read-only" data-state={access}>
      {t(`ui.rigs.readOnly.${access}`)}
    </p>
  )
}

/** Lives while the page is open, and receives the rig's readings. */
function useRigControls(name: string): RigControls {
  const { backend, clock, stores } = useEnvironment()
  const [controls] = useState(() => createRigControls(name, { backend, clock }))
  useEffect(() => {
    const look = (): void => {
      const rig = selectRig(name)(stores.operation.getState())
      if (rig !== undefined) controls.observe(rig)
    }
    const stop = stores.operation.subscribe(look)
    return () => {
      stop()
      controls.dispose()
    }
  }, [controls, stores, name])
  return controls
}
