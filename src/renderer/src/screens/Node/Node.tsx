// Is my node's chain right? Sync state, peers, waiting transactions, blocks, and who may use JSON-RPC.
import { Blocks as BlocksIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import type { NodeTab } from '../../navigation/routes'
import { useNode } from '../../state/environment'
import { BlockList } from '../../widgets/facts/BlockList'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import { Screen } from '../Screen'
import { Blocks } from './blocks/Blocks'
import { Mempool } from './blocks/Mempool'
import { DatabaseCheck } from './DatabaseCheck'
import { ChainCard, HeadCard } from './HeadCards'
import styles from './Node.module.css'
import { NodePower } from './NodePower'
import { NodeTabs } from './NodeTabs'
import { Peers } from './peers/Peers'
import { Rpc } from './rpc/Rpc'
import { StaleNote, SyncSteps } from './SyncSteps'

/** Blocks in the list below the head. */
const FEW = 10

const tabs: Readonly<Record<NodeTab, () => ReactNode>> = {
  sync: () => <Sync />,
  peers: () => <Peers />,
  mempool: () => <Mempool />,
  blocks: () => <Blocks />,
  rpc: () => <Rpc />,
}

export function Node({ tab }: { readonly tab: NodeTab }) {
  const t = useText()
  const isOff = useNode((state) => state.head?.state === 'stopped')
  const isSwitchedOff = useNode((state) => state.control?.isSwitchedOff ?? false)
  return (
    <Screen title={t('ui.nav.node')} actions={<NodePower />}>
      <NodeTabs active={tab}>
        {isOff ? (
          <>
            <Card title={t('ui.node.chain')}>
              {isSwitchedOff ? (
                <EmptyState icon={BlocksIcon} title={t('ui.node.off')}>
                  {t('ui.node.offText')}
                </EmptyState>
              ) : (
                <EmptyState icon={BlocksIcon} title={t('ui.node.none')}>
                  {t('ui.node.noneText')}
                </EmptyState>
              )}
            </Card>
            <DatabaseCheck />
          </>
        ) : (
          tabs[tab]()
        )}
      </NodeTabs>
    </Screen>
  )
}

function Sync() {
  const isKnown = useNode((state) => state.head !== null)
  return (
    <>
      {!isKnown && <Skeleton lines={6} />}
      {isKnown && (
        <>
          <StaleNote />
          <SyncSteps />
          <div className={styles.cards}>
            <HeadCard />
            <ChainCard />
          </div>
        </>
      )}
      <RecentBlocks />
      {isKnown && <DatabaseCheck />}
    </>
  )
}

function RecentBlocks() {
  const t = useText()
  const blocks = useNode((state) => state.blocks)
  const error = useNode((state) => state.blocksError)
  return (
    <Card
      title={t('ui.node.blocks')}
      isFlush={blocks !== null && blocks.length > 0}
      aside={<a href={hrefOf('/node/blocks')}>{t('ui.node.allBlocks')}</a>}
    >
      {error !== '' && <ErrorState title={t('ui.node.blocksFailed')} reason={error} />}
      {error === '' && blocks === null && <Skeleton lines={6} />}
      {blocks !== null && blocks.length === 0 && <EmptyState icon={BlocksIcon} title={t('ui.node.noBlocks')} />}
      {blocks !== null && blocks.length > 0 && <BlockList blocks={blocks.slice(0, FEW)} />}
    </Card>
  )
}
