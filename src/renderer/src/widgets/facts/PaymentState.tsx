// The state of a payment on the chain, followed block by block.
import { useText } from '../../i18n/text'
import { useReceipt } from '../../state/answers/use-receipt'
import { StatePill } from './StatePill'

/** Renders nothing before the node has answered. */
export function PaymentState({ hash }: { readonly hash: string }) {
  const t = useText()
  const reading = useReceipt(hash)
  if (reading === null) return null
  const { receipt, confirmations } = reading
  if (receipt === null)
    return (
      <StatePill tone="info" mark="waiting" testId="payment" state="waiting">
        {t('ui.payment.waiting')}
      </StatePill>
    )
  const values = { height: receipt.blockNumber, confirmations }
  return (
    <StatePill
      tone={receipt.succeeded ? 'ok' : 'danger'}
      mark={receipt.succeeded ? 'ok' : 'error'}
      testId="payment"
      state={receipt.succeeded ? 'mined' : 'reverted'}
    >
      {t(receipt.succeeded ? 'ui.payment.mined' : 'ui.payment.reverted', values)}
    </StatePill>
  )
}
