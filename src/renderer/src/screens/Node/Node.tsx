// Is my node's chain right? Sync state, peers, waiting transactions, blocks, and who may use JSON-RPC.
import { Blocks as BlocksIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { AddressText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import type { NodeTab } from '../../navigation/routes'
import { useApp, useNode } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { selectHasNoPeers, selectHighest } from '../../state/stores/node-store'
import { BlockList } from '../../widgets/facts/BlockList'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import { Value } from '../../widgets/facts/Value'
import { NodeWhy } from '../../widgets/why/NodeWhy'
import { LogView } from '../Activity/LogView'
import { Screen } from '../Screen'
import { Blocks } from './blocks/Blocks'
import { Mempool } from './blocks/Mempool'
import { BlockBars, ChainHead, PeerDots } from './ChainHead'
import headStyles from './ChainHead.module.css'
import { DatabaseCheck } from './DatabaseCheck'
import { NodePower } from './NodePower'
import { NodeTabs } from './NodeTabs'
import { Peers } from './peers/Peers'
import { Listeners } from './rpc/Listeners'
import { RpcConsole } from './rpc/RpcConsole'
import { RpcTraffic } from './rpc/RpcTraffic'
import { StaleNote, SyncSteps, useIsCaughtUp } from './SyncSteps'

// The node's log, its endpoints, which methods are called how often, and a console.

/** Modules whose log lines count as the node's: its services and its threads. */
const NODE_MODULES: readonly string[] = ['node', 'chain', 'p2p', 'rpc', 'query', 'solc']

export function Rpc() {
  const t = useText()
  const canControl = useApp(selectCanControl)
  return (
    <>
      <Listeners />
      <RpcTraffic />
      {canControl && <RpcConsole />}
      <LogView title={t('ui.node.log')} modules={NODE_MODULES} />
    </>
  )
}

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
      {tab === 'sync' && !isOff && <ChainHead />}
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
  const isCaughtUp = useIsCaughtUp()
  return (
    <>
      {!isKnown && <Skeleton lines={6} />}
      {isKnown && (
        <>
          <StaleNote />
          {!isCaughtUp && <SyncSteps />}
          <BlockBars />
        </>
      )}
      <div className={headStyles.row}>
        <RecentBlocks />
        <PeerDots />
      </div>
      {isKnown && <ChainCard />}
      {isCaughtUp && <SyncSteps />}
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

function ChainCard() {
  const t = useText()
  const format = useFormat()
  const view = useNode((state) => state.head)
  const endpoints = useApp((state) => state.info?.endpoints ?? null)
  const highest = useNode(selectHighest)
  const hasNoPeers = useNode(selectHasNoPeers)
  if (view === null) return null
  return (
    <Card title={t('ui.node.chain')}>
      <div className={headStyles.facts}>
        <Facts>
          <Fact label={t('ui.node.highest')} why={<NodeWhy of="highest" />}>
            <Value kind="count" value={highest} testId="sync-highest" />
          </Fact>
          <Fact label={t('ui.node.nextDifficulty')} why={<NodeWhy of="nextDifficulty" />}>
            <Value kind="difficulty" value={view.nextDifficulty === null ? null : Number(view.nextDifficulty)} />
          </Fact>
          <Fact label={t('ui.node.spacing')} why={<NodeWhy of="spacing" />}>
            <Value kind="duration" value={view.targetSpacingSeconds} />
          </Fact>
          <Fact label={t('ui.node.maturity')} why={<NodeWhy of="maturity" />}>
            {t('ui.node.blocksCount', { count: view.maturityBlocks })}
          </Fact>
          <Fact label={t('ui.node.pool')} why={<NodeWhy of="mempool" />}>
            {view.pending === null || view.queued === null
              ? format.text('count', null)
              : t('ui.node.poolCounts', { pending: view.pending, queued: view.queued })}
          </Fact>
          <Fact label={t('ui.node.peers')} why={view.peers === null ? undefined : <NodeWhy of="peers" />}>
            {hasNoPeers ? t('ui.node.noPeers') : format.text('count', view.peers)}
          </Fact>
          <Fact label={t('ui.node.coinbase')}>
            {view.coinbase === null ? (
              format.text('count', null)
            ) : (
              <AddressText address={view.coinbase} form="short" label={t('ui.node.coinbase')} />
            )}
          </Fact>
          <Fact label={t('ui.node.rpc')}>
            <code>{endpoints?.rpc ?? t('ui.common.off')}</code>
          </Fact>
        </Facts>
      </div>
    </Card>
  )
}
