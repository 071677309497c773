// Where do my hashes go, do they arrive? The list in failover order, and how to change it.

import { Network, TriangleAlert } from 'lucide-react'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { Note } from '../../components/layout/Note'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useApp, useMiner, useNode, useOperation } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { selectPools } from '../../state/stores/operation-store'
import { ACCEPTED, Shares } from '../../widgets/facts/Shares'
import { EmptyState, Skeleton } from '../../widgets/facts/States'
import { Value } from '../../widgets/facts/Value'
import { SourceWhy } from '../../widgets/why/SourceWhy'
import { Why } from '../../widgets/why/Why'
import { JobFacts } from '../Overview/JobFacts'
import { Screen } from '../Screen'
import { AddPool } from './AddPool'
import { Calculator } from './income/Calculator'
import { Dominance } from './income/Dominance'
import { Payouts } from './income/Payouts'
import { PoolHead } from './income/PoolHead'
import { useLastBlocks } from './income/use-last-blocks'
import styles from './Pools.module.css'
import { PoolTable } from './PoolTable'

// Do the hashes arrive, are they paid, and who finds the blocks? Each panel says what it is based on and what it can't
// know.

export function PoolPanels() {
  const hasNode = useNode((state) => state.head !== null && state.head.head !== null)
  return (
    <div className={styles.panels}>
      <PoolHead />
      {hasNode ? <ChainPanels /> : <Payouts last={NO_BLOCKS} />}
      <Calculator />
    </div>
  )
}

const NO_BLOCKS = { blocks: null, error: '', ask: () => undefined }

function ChainPanels() {
  const last = useLastBlocks()
  return (
    <>
      <Payouts last={last} />
      <Dominance last={last} />
    </>
  )
}

/** @param proposed address that a link filled in; null if none */
export function Pools({ proposed }: { readonly proposed: string | null }) {
  const t = useText()
  const kind = useOperation((state) => state.pools?.kind ?? null)
  const count = useOperation((state) => selectPools(state).length)
  const canControl = useApp(selectCanControl)
  return (
    <Screen title={t('ui.nav.pools')}>
      {kind === null && <Skeleton lines={5} />}
      {kind === 'none' && (
        <Card title={t('ui.pools.list')}>
          <EmptyState icon={Network} title={t('ui.pools.noMiner')} />
        </Card>
      )}
      {kind === 'solo' && (
        <>
          <Card title={t('ui.pools.list')} isFlush={count > 0} testId="pool-list">
            {count === 0 ? (
              <EmptyState
                icon={Network}
                title={t('ui.pools.none')}
                action={<a href={hrefOf('/settings/pool')}>{t('ui.pools.openSettings')}</a>}
              >
                {t('ui.pools.noneText')}
              </EmptyState>
            ) : (
              <PoolTable />
            )}
          </Card>
          {count > 0 && <p className={styles.note}>{t('ui.pools.plannedText')}</p>}
          {canControl && <AddPool key={proposed} proposed={proposed} />}
        </>
      )}
      {kind === 'pools' && (
        <>
          <Warning />
          <ActivePool />
          <Card title={t('ui.pools.list')} isFlush={count > 0} testId="pool-list">
            {count === 0 ? <EmptyState icon={Network} title={t('ui.pools.empty')} /> : <PoolTable />}
          </Card>
          <p className={styles.note}>{t('ui.pools.listText')}</p>
          {canControl && <AddPool key={proposed} proposed={proposed} />}
        </>
      )}
      {kind !== null && kind !== 'none' && <PoolPanels />}
    </Screen>
  )
}

/** The miner's own words about the pool. */
function Warning() {
  const t = useText()
  const warning = useMiner((state) => state.status?.source.warning ?? '')
  if (warning === '') return null
  return (
    <Note tone="warn" icon={TriangleAlert} testId="pool-warning">
      {t('ui.pools.warning')} <ForeignText text={warning} />
    </Note>
  )
}

function ActivePool() {
  const t = useText()
  const format = useFormat()
  const status = useMiner((state) => state.status)
  if (status === null) return null
  const { source, shares } = status
  return (
    <Card title={t('ui.pools.current')} testId="pool-active">
      <div className={styles.current}>
        <strong className={styles.host}>
          <ForeignText text={source.host === '' ? format.text('count', null) : source.host} />
        </strong>
        <span className={styles.soft}>{t(source.connected ? 'ui.overview.hasWork' : 'ui.overview.noWork')}</span>
      </div>
      <Facts>
        <JobFacts {...source} />
        <Fact label={t('ui.overview.shares')} why={<Why of="shares" parts={ACCEPTED} />}>
          <Shares {...shares} />
        </Fact>
        <Fact label={t('ui.pools.switches')} why={<SourceWhy of="switches" />}>
          <Value kind="count" value={source.switches} />
        </Fact>
      </Facts>
    </Card>
  )
}
