// Is my own chain right? The head, and the blocks behind it.
import { Blocks } from 'lucide-react'
import { hrefOf } from '../../app/router'
import { Age } from '../../components/Age'
import { BlockList } from '../../components/BlockList'
import { Card, Fact, Facts } from '../../components/Card'
import { AddressText, HashText } from '../../components/HexText'
import { EmptyState, ErrorState, Skeleton } from '../../components/States'
import { SyncPill } from '../../components/SyncPill'
import { Value } from '../../components/Value'
import { useFormat, useText } from '../../i18n/text'
import { useApp, useNode } from '../../state/environment'
import { Screen } from '../Screen'
import styles from './Node.module.css'

export function Node() {
  const t = useText()
  const isKnown = useNode((state) => state.head !== null)
  return (
    <Screen title={t('ui.nav.node')}>
      {!isKnown && <Skeleton lines={6} />}
      {isKnown && (
        <div className={styles.cards}>
          <HeadCard />
          <ChainCard />
        </div>
      )}
      <RecentBlocks />
    </Screen>
  )
}

function HeadCard() {
  const t = useText()
  const view = useNode((state) => state.head)
  const head = view?.head ?? null
  return (
    <Card title={t('ui.node.head')} testId="node-head" aside={<SyncPill />}>
      <div className={styles.headLine}>
        <Value kind="count" value={head?.number} size="figure" testId="head-number" />
        <span className={styles.soft}>
          <Age time={head?.time ?? null} />
        </span>
      </div>
      {head !== null && (
        <Facts>
          <Fact label={t('ui.node.hash')}>
            <HashText hex={head.hash} label={t('ui.node.hash')} href={hrefOf(`/node/block/${head.number}`)} />
          </Fact>
          <Fact label={t('ui.node.miner')}>
            <AddressText address={head.miner} form="short" label={t('ui.node.miner')} />
          </Fact>
          <Fact label={t('ui.node.difficulty')}>
            <Value kind="difficulty" value={Number(head.difficulty)} />
          </Fact>
          <Fact label={t('ui.node.totalDifficulty')}>
            <Value kind="difficulty" value={view?.totalDifficulty == null ? null : Number(view.totalDifficulty)} />
          </Fact>
          <Fact label={t('ui.node.transactions')}>
            <Value kind="count" value={head.transactionCount} />
          </Fact>
        </Facts>
      )}
    </Card>
  )
}

function ChainCard() {
  const t = useText()
  const format = useFormat()
  const view = useNode((state) => state.head)
  const endpoints = useApp((state) => state.info?.endpoints ?? null)
  if (view === null) return null
  return (
    <Card title={t('ui.node.chain')}>
      <Facts>
        <Fact label={t('ui.node.nextDifficulty')}>
          <Value kind="difficulty" value={view.nextDifficulty === null ? null : Number(view.nextDifficulty)} />
        </Fact>
        <Fact label={t('ui.node.spacing')}>
          <Value kind="duration" value={view.targetSpacingSeconds} />
        </Fact>
        <Fact label={t('ui.node.maturity')}>{t('ui.node.blocksCount', { count: view.maturityBlocks })}</Fact>
        <Fact label={t('ui.node.pool')}>{t('ui.node.poolCounts', { pending: view.pending, queued: view.queued })}</Fact>
        <Fact label={t('ui.node.peers')}>
          {view.peers === null ? t('ui.node.noPeers') : format.text('count', view.peers)}
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
    </Card>
  )
}

function RecentBlocks() {
  const t = useText()
  const blocks = useNode((state) => state.blocks)
  const error = useNode((state) => state.blocksError)
  return (
    <Card title={t('ui.node.blocks')} isFlush={blocks !== null && blocks.length > 0}>
      {error !== '' && <ErrorState title={t('ui.node.blocksFailed')} reason={error} />}
      {error === '' && blocks === null && <Skeleton lines={6} />}
      {blocks !== null && blocks.length === 0 && <EmptyState icon={Blocks} title={t('ui.node.noBlocks')} />}
      {blocks !== null && blocks.length > 0 && <BlockList blocks={blocks} />}
    </Card>
  )
}
