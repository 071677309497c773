// The state of a payment on the chain, followed block by block.

import { useEffect, useState } from 'react'
import type { ReceiptView } from '../../../../contract/explorer'
import { useText } from '../../i18n/text'
import { useEnvironment, useNode } from '../../state/environment'
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

/** Polling stops after this many confirmations: reorgs this deep aren't expected. */
const SETTLED_BLOCKS = 100

function useReceipt(hash: string) {
  const { backend } = useEnvironment()
  const head = useNode((state) => state.head?.head?.number ?? null)
  const [receipt, setReceipt] = useState<ReceiptView | null | undefined>(undefined)
  const isSettled = receipt != null && head !== null && head - receipt.blockNumber >= SETTLED_BLOCKS
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new block is the reason to ask again
  useEffect(() => {
    if (isSettled) return
    const life = { isOver: false }
    backend.call('node.receipt', { hash }).then(
      (answer) => life.isOver || setReceipt(answer.receipt),
      () => undefined, // the next block queries again
    )
    return () => {
      life.isOver = true
    }
  }, [backend, hash, head, isSettled])
  if (receipt === undefined) return null
  return { receipt, confirmations: receipt === null ? 0 : Math.max(1, (head ?? 0) - receipt.blockNumber + 1) }
}
