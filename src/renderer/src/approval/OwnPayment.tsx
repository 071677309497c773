// What happens to a payment from our own form once it is signed, shown in the same place: sent, waiting for a block, in
// a block.
import { useState } from 'react'
import type { RequestView } from '../../../contract/signer'
import type { SendView } from '../../../contract/signer-tools'
import { ForeignText, HashText } from '../components/values/HexText'
import { useText } from '../i18n/text'
import { hrefOf } from '../navigation/router'
import { useSigner } from '../state/environment'
import { PaymentState } from '../widgets/facts/PaymentState'
import styles from './Approval.module.css'

/** Renders nothing if the payment isn't known here. */
export function OwnPayment({ request }: { readonly request: RequestView }) {
  const t = useText()
  const send = useSigner(({ sends }) => sendOf(request, sends))
  const [isWindow] = useState(() => 'headframe' in window)
  if (send === undefined) return null
  const { hash, state, reason } = send
  if (state === 'failed')
    return (
      <p className={styles.note} role="alert" data-testid="approval-payment" data-state="failed">
        <ForeignText text={t('ui.payment.failed', { reason: reason.slice(0, 300) })} />
      </p>
    )
  if (hash === null) return null
  return (
    <p className={styles.note} data-testid="approval-payment" data-state={state}>
      <HashText hex={hash} label={t('ui.send.hash')} {...(isWindow ? {} : { href: hrefOf(`/node/tx/${hash}`) })} />{' '}
      <PaymentState hash={hash} />
    </p>
  )
}

/** The form records a payment before it asks, so among equal ones the match is the last recorded before the request. */
export function sendOf({ transaction, createdAt }: RequestView, sends: readonly SendView[]): SendView | undefined {
  if (transaction === null) return undefined
  const { from, to, value } = transaction
  return sends.find(
    (send) =>
      send.at <= createdAt &&
      send.from.toLowerCase() === from.toLowerCase() &&
      send.to.toLowerCase() === to?.toLowerCase() &&
      send.value === value,
  )
}
