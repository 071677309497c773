// Where a transaction is: without a receipt it is pending, and each new block may include it or reorganise it away.
import { useEffect, useState } from 'react'
import type { ReceiptView } from '../../../../contract/explorer'
import { useEnvironment, useNode } from '../environment'

/** Beyond this many confirmations polling stops: no branch that long is expected. */
const SETTLED_BLOCKS = 100

export interface ReceiptReading {
  /** Null while it waits for a block. */
  readonly receipt: ReceiptView | null
  /** Blocks that hold it, its own included; 0 while it waits. */
  readonly confirmations: number
}

/** Asked again with each new block. Null before the first answer. */
export function useReceipt(hash: string): ReceiptReading | null {
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
      () => undefined, // the next block asks again
    )
    return () => {
      life.isOver = true
    }
  }, [backend, hash, head, isSettled])
  if (receipt === undefined) return null
  return { receipt, confirmations: receipt === null ? 0 : Math.max(1, (head ?? 0) - receipt.blockNumber + 1) }
}
