// The latest block, and the rules and figures of its chain.

import { Card, Fact, Facts } from '../../components/layout/Card'
import { AddressText, HashText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useApp, useNode } from '../../state/environment'
import { selectHighest } from '../../state/stores/node-store'
import { Age } from '../../widgets/facts/Age'
import { SyncPill } from '../../widgets/facts/SyncPill'
import { Value } from '../../widgets/facts/Value'
import { NodeWhy } from '../../widgets/why/NodeWhy'
import styles from './Node.module.css'

export function HeadCard() {
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
          <Fact label={t('ui.node.difficulty')} why={<NodeWhy of="difficulty" />}>
            <Value kind="difficulty" value={Number(head.difficulty)} />
          </Fact>
          <Fact label={t('ui.node.totalDifficulty')} why={<NodeWhy of="totalDifficulty" />}>
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

export function ChainCard() {
  const t = useText()
  const format = useFormat()
  const view = useNode((state) => state.head)
  const endpoints = useApp((state) => state.info?.endpoints ?? null)
  const highest = useNode(selectHighest)
  if (view === null) return null
  return (
    <Card title={t('ui.node.chain')}>
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
          {t('ui.node.poolCounts', { pending: view.pending, queued: view.queued })}
        </Fact>
        <Fact label={t('ui.node.peers')} why={view.peers === null ? undefined : <NodeWhy of="peers" />}>
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
