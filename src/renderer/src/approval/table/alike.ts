// Which waiting requests are similar enough for one look and one answer: payments from one account, requested by one
// caller, in LAX or in one token. Anything else, anything critical, and anything not understood, is
// reviewed alone.
import { callerKey } from '../../../../base/limits/caller-key'
import type { RequestView } from '../../../../contract/signer'

/** How many the signer accepts at once. */
const MAX_TOGETHER = 64

/** Smaller groups are reviewed one by one. */
const MIN_TOGETHER = 3

const TRANSFER = 'transfer(address,uint256)'

export interface Payment {
  readonly request: RequestView
  /** As the caller spelled it, or decoded from the call. */
  readonly receiver: string
  readonly amount: bigint
  /** Maximum fee: gas x price, wei. */
  readonly fee: bigint
  /** Maximum LAX that the account pays for it, fee included, wei. */
  readonly cost: bigint
}

export interface AlikeGroup {
  readonly key: string
  /** Lower-case contract address; null = LAX. */
  readonly token: string | null
  /** Oldest first. */
  readonly payments: readonly Payment[]
}

/** Groups of three or more, in the order of their oldest request. */
export function alikeGroups(waiting: readonly RequestView[]): readonly AlikeGroup[] {
  const groups = new Map<string, AlikeGroup>()
  for (const request of waiting) {
    const found = paymentOf(request)
    if (found === null) continue
    const { payment, token } = found
    const key = JSON.stringify([callerKey(request.caller), request.transaction?.from.toLowerCase(), token])
    const group = groups.get(key) ?? { key, token, payments: [] }
    if (group.payments.length < MAX_TOGETHER) groups.set(key, { ...group, payments: [...group.payments, payment] })
  }
  return [...groups.values()].filter(({ payments }) => payments.length >= MIN_TOGETHER)
}

function paymentOf(request: RequestView): { readonly payment: Payment; readonly token: string | null } | null {
  const { transaction, findings } = request
  // Devices confirm each payment separately.
  if (transaction === null || transaction.to === null || request.device !== undefined) return null
  if (findings.some(({ severity }) => severity === 'CRITICAL') || (request.notUnderstood ?? []).length > 0) return null
  const rest = { request, fee: BigInt(transaction.maximumFee), cost: BigInt(transaction.maximumTotal) }
  const value = BigInt(transaction.value)
  if (transaction.data === '0x') return { payment: { ...rest, receiver: transaction.to, amount: value }, token: null }
  const { call } = transaction
  // Only a signature from this program's own database, with data in the one exact encoding.
  if (value > 0n || call === null || call.signature !== TRANSFER || call.namedBy !== 'database') return null
  const [to, units] = call.arguments
  if (to === undefined || units === undefined) return null
  return {
    payment: { ...rest, receiver: to.value, amount: BigInt(units.value) },
    token: transaction.to.toLowerCase(),
  }
}
