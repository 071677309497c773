// One transaction, in a block or still waiting for one.
import { SearchX } from 'lucide-react'
import { useCallback } from 'react'
import { useStore } from 'zustand'
import type { TransactionRowView } from '../../../../../contract/node'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { AddressText, HashText } from '../../../components/values/HexText'
import { useFormat, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAsking, useEnvironment } from '../../../state/environment'
import { LOADING } from '../../../state/queries'
import { AmountText } from '../../../widgets/facts/AmountText'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/facts/States'
import { WhyText } from '../../../widgets/why/WhyText'
import { Screen } from '../../Screen'
import { BackToNode } from './Block'
import { Receipt } from './Receipt'
import { Trace } from './Trace'
import { resultKey } from './TransactionList'

export function Transaction({ hash }: { readonly hash: string }) {
  const t = useText()
  const { queries } = useEnvironment().stores
  const answer = useStore(queries.store, (state) => state.transactions[hash]) ?? LOADING
  useAsking(useCallback(() => void queries.askTransaction(hash), [queries, hash]))
  return (
    <>
      <BackToNode />
      {answer.kind === 'loading' && <Skeleton lines={6} />}
      {answer.kind === 'failed' && (
        <ErrorState
          title={t('ui.node.transactionFailed')}
          reason={answer.reason}
          onRetry={() => void queries.askTransaction(hash)}
        />
      )}
      {answer.kind === 'ready' && answer.value === null && (
        <EmptyState icon={SearchX} title={t('ui.node.noSuchTransaction')} />
      )}
      {answer.kind === 'ready' && answer.value !== null && <TransactionPage transaction={answer.value} />}
    </>
  )
}

function TransactionPage({ transaction }: { readonly transaction: TransactionRowView }) {
  const t = useText()
  const format = useFormat()
  return (
    <Screen title={t('ui.node.transaction')}>
      <Card title={t(resultKey(transaction))} testId="transaction-detail">
        <Facts>
          <Fact label={t('ui.node.hash')}>
            <HashText hex={transaction.hash} isFull label={t('ui.node.hash')} />
          </Fact>
          <Fact label={t('ui.node.block')}>
            {transaction.blockNumber === null ? (
              t('ui.node.pending')
            ) : (
              <a href={hrefOf(`/node/block/${transaction.blockNumber}`)}>
                {format.text('count', transaction.blockNumber)}
              </a>
            )}
          </Fact>
          <Fact label={t('ui.node.from')}>
            <AddressText
              address={transaction.from}
              form="grouped"
              label={t('ui.node.from')}
              href={hrefOf(`/node/address/${transaction.from}`)}
            />
          </Fact>
          <Fact label={t('ui.node.to')}>
            {transaction.to === null ? (
              t('ui.node.creation')
            ) : (
              <AddressText
                address={transaction.to}
                form="grouped"
                label={t('ui.node.to')}
                href={hrefOf(`/node/address/${transaction.to}`)}
              />
            )}
          </Fact>
          <Fact label={t('ui.node.value')}>
            <AmountText wei={transaction.value} form="exact" />
          </Fact>
          <NumberFacts transaction={transaction} />
          <Fact label={t('ui.node.input')}>
            <HashText hex={transaction.input} isFull />
          </Fact>
        </Facts>
      </Card>
      <Receipt hash={transaction.hash} isPending={transaction.blockNumber === null} />
      {transaction.blockNumber !== null && <Trace key={transaction.hash} hash={transaction.hash} />}
    </Screen>
  )
}

/** What its sender offers and how much it took. */
function NumberFacts({ transaction }: { readonly transaction: TransactionRowView }) {
  const t = useText()
  const format = useFormat()
  return (
    <>
      <Fact label={t('ui.node.gasPrice')} why={<WhyText of="txGasPrice" />}>
        {format.gasPrice(BigInt(transaction.gasPrice))}
      </Fact>
      <Fact label={t('ui.node.gas')} why={<WhyText of="txGas" />}>
        {format.text('count', transaction.gasUsed)}
      </Fact>
      <Fact label={t('ui.node.nonce')} why={<WhyText of="txNonce" />}>
        {format.text('count', transaction.nonce)}
      </Fact>
    </>
  )
}
