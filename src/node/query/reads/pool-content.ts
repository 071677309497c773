// What waits in the pool as JSON text, by sender and nonce, written one transaction at a time. Addresses are checksummed, nonces decimal.
import { checksumAddress } from '../../../base/checksum-address'
import { decodeTransactions } from '../../model/block'
import { recoverSender } from '../../model/sender'
import type { Transaction } from '../../model/transaction'
import { encodeTransaction } from '../encoding'
import type { PoolContentQuestion } from '../query-wire'
import type { QuerySession } from '../session'

type Account = PoolContentQuestion['accounts'][number]

/** @param write false ends it @throws RangeError for damaged transactions */
export function writePoolContent(
  session: QuerySession,
  { accounts, form, isOne }: PoolContentQuestion,
  write: (text: string) => boolean,
): void {
  const { chainId } = session.options
  if (form === 'list') {
    let before = '['
    for (const account of accounts)
      for (const { shown } of entriesOf(account, 'pending', { chainId, form })) {
        if (!write(before + JSON.stringify(shown))) return
        before = ','
      }
    write(before === '[' ? '[]' : ']')
    return
  }
  for (const part of ['pending', 'queued'] as const) {
    write(part === 'pending' ? '{"pending":{' : '},"queued":{')
    let before = ''
    for (const account of accounts) {
      let isFirst = true
      for (const { nonce, shown } of entriesOf(account, part, { chainId, form })) {
        const text = `"${nonce}":${JSON.stringify(shown)}`
        const start = isOne || !isFirst ? '' : `"${checksumAddress(account.address)}":{`
        if (!write(`${isFirst ? before : ','}${start}${text}`)) return
        before = ','
        isFirst = false
      }
      if (!isFirst && !isOne) write('}')
    }
  }
  write('}}')
}

function* entriesOf(
  { address, ...lists }: Account,
  part: 'pending' | 'queued',
  { chainId, form }: { readonly chainId: bigint; readonly form: PoolContentQuestion['form'] },
): Generator<{ readonly nonce: bigint; readonly shown: object | string }> {
  const transactions = decodeTransactions(lists[part])
  if (!transactions.ok) throw new RangeError(transactions.error)
  for (const given of transactions.value) {
    const signed = recoverSender(given, chainId, address)
    if (!signed.ok) throw new RangeError(signed.error)
    const { tx } = signed.value
    const shown =
      form === 'lines' ? lineOf(tx) : encodeTransaction({ ...tx, from: address, input: tx.data, place: null })
    yield { nonce: tx.nonce, shown }
  }
}

/** `0xTO: V wei + G gas × P wei` */
function lineOf({ to, value, gasLimit, gasPrice }: Transaction): string {
  const receiver = to === null ? 'contract creation' : checksumAddress(to)
  return `${receiver}: ${value} wei + ${gasLimit} gas × ${gasPrice} wei`
}
