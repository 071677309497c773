// What an address received in the last blocks, read piece by piece from our node.
import { useCallback, useRef, useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import type { TransactionRowView } from '../../../../../contract/node'
import type { Backend } from '../../../data/backend'
import { useAsking, useEnvironment, useNode } from '../../../state/environment'

/** Blocks that a reorg may have replaced since they were read. */
const REREAD_BLOCKS = 12

interface Transfers {
  readonly transactions: readonly TransactionRowView[]
  /** Lowest height searched so far; null before the first answer. */
  readonly oldest: number | null
  /** Everything down to the requested height is read. */
  readonly isDone: boolean
  readonly error: string
}

interface Read {
  readonly transactions: readonly TransactionRowView[]
  readonly newest: number
  readonly oldest: number
}

const NOTHING: Transfers = { transactions: [], oldest: null, isDone: false, error: '' }

/**
 * For one address and window: give each pair its own `key`. Reads only new blocks at each new head.
 * @param lowest height to read down to
 */
export function useTransfers(address: string, lowest: number): Transfers {
  const { backend } = useEnvironment()
  const [state, setState] = useState<Transfers>(NOTHING)
  const known = useRef<Read | null>(null)
  const head = useNode((node) => node.head?.head?.hash ?? null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another head is a reason to read again
  const ask = useCallback(() => {
    const life = { isOver: false }
    const before = known.current
    const onPiece = (read: Read, isDone: boolean): boolean => {
      if (life.isOver) return false
      if (isDone) known.current = read
      if (isDone || before === null)
        setState({ transactions: read.transactions, oldest: read.oldest, isDone, error: '' })
      return true
    }
    readDown(backend, { address, lowest, known: before, onPiece }).catch((error: unknown) => {
      if (!life.isOver) setState((last) => ({ ...last, error: messageOf(error) }))
    })
    return () => {
      life.isOver = true
    }
  }, [backend, address, lowest, head])
  useAsking(ask)
  return state
}

interface Reading {
  readonly address: string
  readonly lowest: number
  /** Results of an earlier reading, down to a height that may be below `lowest`. */
  readonly known: Read | null
  /** Returns false to end the reading. */
  readonly onPiece: (read: Read, isDone: boolean) => boolean
}

async function readDown(backend: Pick<Backend, 'call'>, reading: Reading): Promise<void> {
  const { address, lowest, known, onPiece } = reading
  const bottom = known === null ? lowest : Math.max(lowest, known.newest - REREAD_BLOCKS)
  const transactions: TransactionRowView[] = []
  let newest: number | null = null
  for (let from: number | null = null; ; ) {
    const page: Awaited<ReturnType<typeof askPage>> = await askPage(backend, address, from)
    transactions.push(...page.transactions)
    newest ??= page.newest
    const { oldest } = page
    const isDone = oldest <= bottom || oldest === 0
    const older = isDone ? (known?.transactions ?? []).filter(({ blockNumber }) => (blockNumber ?? 0) < oldest) : []
    const read = {
      transactions: [...transactions, ...older],
      newest,
      oldest: isDone ? Math.min(lowest, oldest) : oldest,
    }
    if (!onPiece(read, isDone) || isDone) return
    from = oldest - 1
  }
}

function askPage(backend: Pick<Backend, 'call'>, address: string, from: number | null) {
  return backend.call('node.addressHistory', { address, from })
}
