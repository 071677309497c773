// The page of one rig: how it stands, its GPUs, and what was seen of it. Takes commands where the rig takes them from here.
import { ArrowLeft, Server } from 'lucide-react'
import type { RigView } from '../../../../contract/rigs'
import { hrefOf } from '../../app/router'
import { ForeignText } from '../../components/HexText'
import { EmptyState, Skeleton } from '../../components/States'
import { useText } from '../../i18n/text'
import { selectCanControl } from '../../state/app-store'
import { useApp, useFleet } from '../../state/environment'
import { selectRig } from '../../state/fleet-store'
import { Screen } from '../Screen'
import { accessOf } from './control-of'
import { NotKept } from './NotKept'
import { RigCard } from './RigCard'
import { RigCharts } from './RigCharts'
import { RigGpus } from './RigGpus'
import { RigOrders } from './RigOrders'
import styles from './Rigs.module.css'
import { RigTools } from './RigTools'
import { useRigControls } from './use-rig-controls'

export function RigDetail({ name }: { readonly name: string }) {
  const t = useText()
  const rig = useFleet(selectRig(name))
  const isKnown = useFleet((state) => state.rigs !== null)
  return (
    <>
      <a className={styles.back} href={hrefOf('/rigs')}>
        <ArrowLeft aria-hidden="true" />
        {t('ui.nav.rigs')}
      </a>
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
      {rig.figures !== null && !rig.local && <RigCharts rig={rig} />}
    </Screen>
  )
}

/** Whoever may command from here at all is told why this rig cannot be. */
function WhyReadOnly({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const access = accessOf(rig)
  if (rig.local || (access !== 'noControl' && access !== 'noToken')) return null
  return (
    <p className={styles.note} role="note" data-testid="rig-read-only" data-state={access}>
      {t(`ui.rigs.readOnly.${access}`)}
    </p>
  )
}
