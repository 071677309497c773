// The result of a transaction: gas, fee, what it created, and its logs.
import { useCallback } from 'react'
import { useStore } from 'zustand'
import type { LogView, ReceiptView } from '../../../../../contract/explorer'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { AddressText, HashText } from '../../../components/values/HexText'
import { useFormat, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAsking, useEnvironment } from '../../../state/environment'
import { LOADING } from '../../../state/queries'
import { AmountText } from '../../../widgets/facts/AmountText'
import { ErrorState, Skeleton } from '../../../widgets/facts/States'
import { ReceiptWhy } from '../../../widgets/why/BlockWhy'
import styles from '../Node.module.css'
import { type LogValue, readLog } from './log-words'

export function Receipt({ hash, isPending }: { readonly hash: string; readonly isPending: boolean }) {
  const t = useText()
  const { queries } = useEnvironment().stores
  const answer = useStore(queries.store, (state) => state.receipts[hash]) ?? LOADING
  const ask = useCallback((): undefined => {
    if (!isPending) void queries.askReceipt(hash)
  }, [queries, hash, isPending])
  useAsking(ask)
  const isNone = isPending || (answer.kind === 'ready' && answer.value === null)
  return (
    <>
      <Card title={t('ui.node.receipt')} testId="receipt">
        {isNone && <p className={styles.soft}>{t('ui.node.receiptNone')}</p>}
        {!isPending && answer.kind === 'loading' && <Skeleton lines={4} />}
        {!isPending && answer.kind === 'failed' && (
          <ErrorState
            title={t('ui.node.receiptFailed')}
            reason={answer.reason}
            onRetry={() => void queries.askReceipt(hash)}
          />
        )}
        {!isPending && answer.kind === 'ready' && answer.value !== null && <ReceiptFacts receipt={answer.value} />}
      </Card>
      {!isPending && answer.kind === 'ready' && answer.value !== null && <Logs logs={answer.value.logs} />}
    </>
  )
}

function ReceiptFacts({ receipt }: { readonly receipt: ReceiptView }) {
  const t = useText()
  const format = useFormat()
  return (
    <Facts>
      <Fact label={t('ui.node.result')}>{t(receipt.succeeded ? 'ui.node.succeeded' : 'ui.node.reverted')}</Fact>
      <Fact label={t('ui.node.fee')} why={<ReceiptWhy of="txFee" receipt={receipt} />}>
        <AmountText wei={receipt.fee} form="exact" />
      </Fact>
      <Fact label={t('ui.node.gas')} why={<ReceiptWhy of="txGas" receipt={receipt} />}>
        {format.text('count', receipt.gasUsed)}
      </Fact>
      <Fact label={t('ui.node.cumulativeGas')} why={<ReceiptWhy of="cumulativeGas" receipt={receipt} />}>
        {format.text('count', receipt.cumulativeGasUsed)}
      </Fact>
      <Fact label={t('ui.node.placeInBlock')}>{format.text('count', receipt.index)}</Fact>
      {receipt.contractAddress !== null && (
        <Fact label={t('ui.node.createdContract')}>
          <AddressText
            address={receipt.contractAddress}
            form="grouped"
            label={t('ui.node.createdContract')}
            href={hrefOf(`/node/address/${receipt.contractAddress}`)}
          />
        </Fact>
      )}
    </Facts>
  )
}

function Logs({ logs }: { readonly logs: readonly LogView[] }) {
  const t = useText()
  return (
    <Card title={t('ui.node.logs')} testId="logs">
      {logs.length === 0 && <p className={styles.soft}>{t('ui.node.logsNone')}</p>}
      {logs.map((log) => (
        <Log key={log.index} log={log} />
      ))}
    </Card>
  )
}

function Log({ log }: { readonly log: LogView }) {
  const t = useText()
  const words = readLog(log)
  return (
    <section className={styles.log} aria-label={t('ui.node.logTitle', { index: log.index })}>
      <Facts>
        <Fact label={t('ui.node.logTitle', { index: log.index })}>
          <AddressText address={log.address} form="grouped" href={hrefOf(`/node/address/${log.address}`)} />
        </Fact>
        {words !== null && (
          <Fact label={t('ui.node.logEvent')}>
            <code data-testid="log-event">{words.signature}</code>
          </Fact>
        )}
        {words?.values.map((value) => (
          <Fact key={value.name} label={value.name}>
            <Meaning value={value} />
          </Fact>
        ))}
      </Facts>
      {words === null ? (
        <RawLog log={log} />
      ) : (
        <>
          <p className={styles.soft}>{t('ui.node.logGuess')}</p>
          <details>
            <summary>{t('ui.node.logRaw')}</summary>
            <RawLog log={log} />
          </details>
        </>
      )}
    </section>
  )
}

function Meaning({ value: { type, value } }: { readonly value: LogValue }) {
  if (type !== 'address') return <code className={styles.wraps}>{value}</code>
  return <AddressText address={value} form="grouped" href={hrefOf(`/node/address/${value.toLowerCase()}`)} />
}

function RawLog({ log }: { readonly log: LogView }) {
  const t = useText()
  return (
    <Facts>
      {log.topics.map((topic, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a topic's place is what tells it apart
        <Fact key={index} label={t('ui.node.topic', { index })}>
          <HashText hex={topic} isFull />
        </Fact>
      ))}
      <Fact label={t('ui.node.logData')}>
        <HashText hex={log.data} isFull />
      </Fact>
    </Facts>
  )
}
