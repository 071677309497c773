// The latest block, and the rules and figures of its chain.

import { Card, Fact, Facts } from '../../components/layout/Card'
import { AddressText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { useApp, useNode } from '../../state/environment'
import { selectHighest } from '../../state/stores/node-store'
import { Value } from '../../widgets/facts/Value'
import { NodeWhy } from '../../widgets/why/NodeWhy'

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
