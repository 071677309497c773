// An account's history on the chain: its transactions in the searched blocks, and which blocks those were.
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { TransactionRowView } from '../../../../contract/explorer'
import { Card } from '../../components/layout/Card'
import { AddressText, HashText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useAddressHistory } from '../../state/answers/use-address-history'
import { useNode } from '../../state/environment'
import { selectBalance } from '../../state/stores/node-store'
import { Button } from '../../widgets/controls/Button'
import { AmountText } from '../../widgets/facts/AmountText'
import { ErrorState } from '../../widgets/facts/States'
import styles from './Accounts.module.css'

export function ChainHistory({ address }: { readonly address: string }) {
  const t = useText()
  const hasHead = useNode((state) => state.head?.head != null)
  const { found, reason, isBusy, ask, goOn } = useAddressHistory(address, hasHead)
  const nonce = useNode(selectBalance(address))?.nonce ?? null
  const seen = useRef(nonce)
  useEffect(() => {
    // A block included a payment of this account.
    if (seen.current !== null && nonce !== seen.current) ask()
    seen.current = nonce
  }, [nonce, ask])
  if (!hasHead) return null
  return (
    <Card title={t('ui.account.chainHistory')} testId="chain-history">
      {reason !== '' && <ErrorState title={t('ui.account.historyFailed')} reason={reason} onRetry={ask} />}
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
            <Button size="small" needsContact isBusy={isBusy} data-testid="history-more" onClick={goOn}>
              {t('ui.node.addressFurther')}
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
