// The transactions of a block, one per line.

import { ArrowLeftRight } from 'lucide-react'
import type { TransactionRowView } from '../../../../../contract/node'
import { numberHeading, Table } from '../../../components/tables/Table'
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
    <Table
      label={t('ui.node.transactions')}
      headings={[
        t('ui.node.hash'),
        ...(hasBlock ? [t('ui.node.block')] : []),
        t('ui.node.from'),
        t('ui.node.to'),
        numberHeading(t('ui.node.value')),
        numberHeading(t('ui.node.gas')),
        t('ui.node.result'),
      ]}
    >
      {transactions.map((transaction) => (
        <Row key={transaction.hash} transaction={transaction} hasBlock={hasBlock} />
      ))}
    </Table>
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
