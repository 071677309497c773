// The transactions of a block, one a line.

import { ArrowLeftRight } from 'lucide-react'
import type { TransactionRowView } from '../../../../contract/node'
import { hrefOf } from '../../app/router'
import { AmountText } from '../../components/AmountText'
import { AddressText, HashText } from '../../components/HexText'
import { ScrollRegion } from '../../components/ScrollRegion'
import { EmptyState } from '../../components/States'
import table from '../../components/Table.module.css'
import { useFormat, useText } from '../../i18n/text'

export function TransactionList({ transactions }: { readonly transactions: readonly TransactionRowView[] }) {
  const t = useText()
  const format = useFormat()
  if (transactions.length === 0) return <EmptyState icon={ArrowLeftRight} title={t('ui.node.noTransactions')} />
  return (
    <ScrollRegion className={table.scroll} label={t('ui.node.transactions')}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('ui.node.hash')}</th>
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
            <tr key={transaction.hash}>
              <th scope="row">
                <HashText hex={transaction.hash} href={hrefOf(`/node/tx/${transaction.hash}`)} />
              </th>
              <td>
                <AddressText address={transaction.from} form="short" />
              </td>
              <td>
                {transaction.to === null ? (
                  t('ui.node.creation')
                ) : (
                  <AddressText address={transaction.to} form="short" />
                )}
              </td>
              <td className={table.number}>
                <AmountText wei={transaction.value} form="list" />
              </td>
              <td className={table.number}>{format.text('count', transaction.gasUsed)}</td>
              <td>{t(resultKey(transaction))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** Pending, done or reverted. */
export function resultKey({ succeeded }: Pick<TransactionRowView, 'succeeded'>) {
  if (succeeded === null) return 'ui.node.pending'
  return succeeded ? 'ui.node.succeeded' : 'ui.node.reverted'
}
