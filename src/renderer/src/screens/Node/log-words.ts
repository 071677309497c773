// Logs whose meaning is known from their signature, in words. An interpretation: any contract may write any log. Pure.
import type { LogView } from '../../../../contract/explorer'
import { checksumAddress, shortHex } from '../../format/bytes-text'

/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

export interface TransferWords extends Readonly<Record<string, string>> {
  readonly from: string
  readonly to: string
  /** In the token's smallest unit: how many decimals it has is not in the log. */
  readonly amount: string
}

/** Null for anything that is not exactly a token's transfer. */
export function readTransfer({ topics, data }: Pick<LogView, 'topics' | 'data'>): TransferWords | null {
  const [kind, from, to, ...more] = topics
  if (kind !== TRANSFER || from === undefined || to === undefined || more.length > 0 || data.length !== 66) return null
  const [sender, receiver] = [addressIn(from), addressIn(to)]
  if (sender === null || receiver === null) return null
  return { from: shortHex(sender), to: shortHex(receiver), amount: BigInt(data).toString() }
}

function addressIn(topic: string): string | null {
  return /^0x0{24}[0-9a-f]{40}$/.test(topic) ? checksumAddress(`0x${topic.slice(26)}`) : null
}
