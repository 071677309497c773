// What an address did lately, as far as blocks were looked through; further back on request.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { AddressHistoryView } from '../../../../contract/explorer'
import { Button } from '../../components/Button'
import { Card } from '../../components/Card'
import { ErrorState, Skeleton } from '../../components/States'
import { useFormat, useText } from '../../i18n/text'
import { useAsking, useEnvironment } from '../../state/environment'
import styles from './Node.module.css'
import { TransactionList } from './TransactionList'

interface State {
  /** Null until the first answer. */
  readonly found: AddressHistoryView | null
  readonly isBusy: boolean
  readonly reason: string
}

/** For one address: another one has another key. */
export function AddressHistory({ address }: { readonly address: string }) {
  const t = useText()
  const format = useFormat()
  const { found, isBusy, reason, ask, goOn } = useHistory(address)
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
      {found === null && reason === '' && <Skeleton lines={4} />}
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

function useHistory(address: string) {
  const { backend } = useEnvironment()
  const [state, setState] = useState<State>({ found: null, isBusy: false, reason: '' })
  const read = useCallback(
    async (before: AddressHistoryView | null): Promise<void> => {
      setState((last) => ({ ...last, isBusy: true }))
      try {
        const from = before === null ? null : before.oldest - 1
        const piece = await backend.call('node.addressHistory', { address, from })
        const found = before === null ? piece : joined(before, piece)
        setState({ found, isBusy: false, reason: '' })
      } catch (error: unknown) {
        setState((last) => ({ ...last, isBusy: false, reason: messageOf(error) }))
      }
    },
    [backend, address],
  )
  const ask = useCallback((): undefined => void read(null), [read])
  useAsking(ask)
  return { ...state, ask, goOn: () => void read(state.found) }
}

function joined(newer: AddressHistoryView, older: AddressHistoryView): AddressHistoryView {
  return { ...newer, oldest: older.oldest, transactions: [...newer.transactions, ...older.transactions] }
}
