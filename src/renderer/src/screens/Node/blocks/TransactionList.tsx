// The transactions of a block, one per line.

import { ArrowLeftRight } from 'lucide-react'
import type { TransactionRowView } from '../../../../../contract/node'
import { ScrollRegion } from '../../../components/layout/ScrollRegion'
import table from '../../../components/tables/Table.module.css'
import { AddressText, HashText } from '../../../components/values/HexText'
import { useLanguage, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { EmptyState } from '../../../widgets/facts/States'
import { AmountText } from '../../../widgets/facts/Value'

interface TransactionListProps {
  readonly transactions: readonly TransactionRowView[]
  /** With a column for the block, for lists that span several. */
  readonly hasBlock?: boolean
}

export function TransactionList({ transactions, hasBlock = false }: TransactionListProps) {
  const t = useText()
  if (transactions.length === 0) return <EmptyState icon={ArrowLeftRight} title={t('ui.node.noTransactions')} />
  return (
    <ScrollRegion className={table.scroll} label={t('ui.node.transactions')}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('ui.node.hash')}</th>
            {hasBlock && <th scope="col">{t('ui.node.block')}</th>}
            <th scope="col">{t('ui.node.from')}</th>
            <th scope="col">{t('ui.node.to')}</th>
            <th scope="col" className={table.number}>
              {t('ui.node.value')}
            </th>
            <th scope="col" className={table.number}>
              {t('ui.node.gas')}
            </th>
            <th scope="col">{t('ui.node.result')}</th>
          </tr>
        </thead>
        <tbody>
          {transactions.map((transaction) => (
            <Row key={transaction.hash} transaction={transaction} hasBlock={hasBlock} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Row({ transaction, hasBlock }: { readonly transaction: TransactionRowView; readonly hasBlock: boolean }) {
  const { t, format } = useLanguage()
  const { hash, blockNumber, from, to, value, gasUsed } = transaction
  return (
    <tr>
      <th scope="row">
        <HashText hex={hash} href={hrefOf(`/node/tx/${hash}`)} />
      </th>
      {hasBlock && (
        <td>
          <a href={hrefOf(`/node/block/${blockNumber}`)}>{format.text('count', blockNumber)}</a>
        </td>
      )}
      <td>
        <AddressText address={from} form="short" href={hrefOf(`/node/address/${from}`)} />
      </td>
      <td>
        {to === null ? (
          t('ui.node.creation')
        ) : (
          <AddressText address={to} form="short" href={hrefOf(`/node/address/${to}`)} />
        )}
      </td>
      <td className={table.number}>
        <AmountText wei={value} form="list" />
      </td>
      <td className={table.number}>{format.text('count', gasUsed)}</td>
      <td>{t(resultKey(transaction))}</td>
    </tr>
  )
}

/** Pending, done or reverted. */
export function resultKey({ succeeded }: Pick<TransactionRowView, 'succeeded'>) {
  if (succeeded === null) return 'ui.node.pending'
  return succeeded ? 'ui.node.succeeded' : 'ui.node.reverted'
}
