// What the chain tells of an account: its transactions in the blocks that were looked through, and which blocks those were.
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { AddressHistoryView, TransactionRowView } from '../../../../contract/explorer'
import { AmountText } from '../../components/AmountText'
import { Button } from '../../components/Button'
import { Card } from '../../components/Card'
import { AddressText, HashText } from '../../components/HexText'
import { ErrorState } from '../../components/States'
import { useText } from '../../i18n/text'
import { useAsking, useEnvironment, useNode } from '../../state/environment'
import styles from './Accounts.module.css'

export function ChainHistory({ address }: { readonly address: string }) {
  const t = useText()
  const hasHead = useNode((state) => state.head?.head != null)
  const { found, error, isBusy, ask, more } = useHistory(address, hasHead)
  if (!hasHead) return null
  return (
    <Card title={t('ui.account.chainHistory')} testId="chain-history">
      {error !== '' && <ErrorState title={t('ui.account.historyFailed')} reason={error} onRetry={ask} />}
      {found !== null && (
        <>
          <p className={styles.asOf} data-testid="history-range">
            {t('ui.account.historyRange', {
              oldest: found.oldest,
              newest: found.newest,
              count: found.transactions.length,
            })}
          </p>
          <ol className={styles.rows}>
            {found.transactions.map((transaction) => (
              <TransactionRow key={transaction.hash} transaction={transaction} address={address} />
            ))}
          </ol>
          {found.oldest > 0 && (
            <Button size="small" needsContact isBusy={isBusy} data-testid="history-more" onClick={more}>
              {t('ui.account.historyMore')}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}

function TransactionRow({
  transaction,
  address,
}: {
  readonly transaction: TransactionRowView
  readonly address: string
}) {
  const t = useText()
  const { hash, from, to, value, blockNumber, succeeded } = transaction
  const isOut = from.toLowerCase() === address
  const other = isOut ? to : from
  return (
    <li data-testid="history-row" data-state={isOut ? 'out' : 'in'}>
      <span className={styles.tag}>
        {isOut ? <ArrowUpRight aria-hidden="true" size={12} /> : <ArrowDownLeft aria-hidden="true" size={12} />}
        {t(isOut ? 'ui.account.out' : 'ui.account.in')}
      </span>
      <AmountText wei={value} form="exact" />
      <span>
        {isOut ? '→ ' : '← '}
        {other === null ? t('ui.account.creation') : <AddressText address={other} form="short" />}
      </span>
      <HashText hex={hash} href={`#/node/tx/${hash}`} label={t('ui.send.hash')} />
      {blockNumber !== null && <span>{t('ui.accounts.atHeight', { height: blockNumber })}</span>}
      {succeeded === false && <span className={styles.bad}>{t('ui.account.reverted')}</span>}
    </li>
  )
}

/** Newest first; each press looks further back. */
function useHistory(address: string, hasHead: boolean) {
  const { backend } = useEnvironment()
  const [found, setFound] = useState<AddressHistoryView | null>(null)
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const load = useCallback(
    async (before: AddressHistoryView | null) => {
      setBusy(true)
      try {
        const from = before === null ? null : before.oldest - 1
        const page = await backend.call('node.addressHistory', { address, from })
        setFound(before === null ? page : joined(before, page))
        setError('')
      } catch (reason: unknown) {
        setError(messageOf(reason))
      }
      setBusy(false)
    },
    [backend, address],
  )
  const ask = useCallback((): undefined => {
    if (hasHead) void load(null)
  }, [hasHead, load])
  useAsking(ask)
  return { found, error, isBusy, ask, more: () => void load(found) }
}

function joined(newer: AddressHistoryView, older: AddressHistoryView): AddressHistoryView {
  return {
    transactions: [...newer.transactions, ...older.transactions],
    newest: newer.newest,
    oldest: older.oldest,
  }
}
