// Recent transactions of an address, as far as blocks were searched; further back on request.
import { Card } from '../../../components/layout/Card'
import { useFormat, useText } from '../../../i18n/text'
import { useAddressHistory } from '../../../state/answers/use-address-history'
import { Button } from '../../../widgets/controls/Button'
import { ErrorState, Skeleton } from '../../../widgets/facts/States'
import styles from '../Node.module.css'
import { TransactionList } from './TransactionList'

/** Height of the words that most addresses get: no transactions. */
const NOTHING_PX = 20

/** For one address: give each address its own `key`. */
export function AddressHistory({ address }: { readonly address: string }) {
  const t = useText()
  const format = useFormat()
  const { found, isBusy, reason, ask, goOn } = useAddressHistory(address)
  return (
    <Card
      title={t('ui.node.addressHistory')}
      testId="address-history"
      aside={
        found !== null && (
          <span className={styles.soft} data-testid="address-range">
            {t('ui.node.addressRange', {
              oldest: format.text('count', found.oldest),
              newest: format.text('count', found.newest),
            })}
          </span>
        )
      }
    >
      {reason !== '' && <ErrorState title={t('ui.node.addressHistoryFailed')} reason={reason} onRetry={ask} />}
      {found === null && reason === '' && <Skeleton lines={1} heightPx={NOTHING_PX} />}
      {found?.transactions.length === 0 && <p className={styles.soft}>{t('ui.node.addressHistoryNone')}</p>}
      {found !== null && found.transactions.length > 0 && (
        <TransactionList transactions={found.transactions} hasBlock />
      )}
      {found !== null && found.oldest > 0 && (
        <div className={styles.buttons}>
          <Button needsContact isBusy={isBusy} data-testid="address-further" onClick={goOn}>
            {t('ui.node.addressFurther')}
          </Button>
        </div>
      )}
    </Card>
  )
}
