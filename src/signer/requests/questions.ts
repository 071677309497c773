// The UI API's objects: what rules and the line-based UI see of a request. Member for member as sent by clef.
import { join } from 'node:path'
import { toHex } from '../../base/hex'
import { toQuantity } from '../../base/quantity'
import type { HardwareAccount } from '../hardware/hardware-wallet'
import type { KeyEntry } from '../keystore/folder'
import type { Finding } from '../model/findings'
import type { Caller } from '../model/request'
import type { DisplayEntry, SignableData } from '../model/signable'
import { hexAccessList, type SpelledAddress, type TransactionRequest } from '../model/transaction'
import type { Question } from '../ports'

/** `ui_approveTx`; amounts are hex quantities, as sent by callers. */
export function transactionQuestion(tx: TransactionRequest, findings: readonly Finding[], caller: Caller): Question {
  const body = { transaction: transactionObject(tx), call_info: callInfo(findings), meta: metaOf(caller) }
  return { method: 'ui_approveTx', body }
}

/** @param caller null where clef reports none */
export function dataQuestion(
  address: SpelledAddress,
  data: SignableData,
  findings: readonly Finding[],
  caller: Caller | null,
): Question {
  return {
    method: 'ui_approveSignData',
    body: {
      content_type: data.contentType,
      address: address.text,
      raw_data: Buffer.from(data.hashed).toString('base64'),
      messages: data.messages.map(messageObject),
      call_info: callInfo(findings),
      hash: toHex(data.hash),
      meta: caller === null ? NOBODY : metaOf(caller),
    },
  }
}

export function listingQuestion(accounts: readonly AccountObject[], caller: Caller): Question {
  return { method: 'ui_approveListing', body: { accounts, meta: metaOf(caller) } }
}

export function newAccountQuestion(caller: Caller): Question {
  return { method: 'ui_approveNewAccount', body: { meta: metaOf(caller) } }
}

/** Address and URL of an account, as in every method of the UI API. */
interface AccountObject {
  readonly address: string
  readonly url: string
}

export function accountObject(key: KeyEntry, folder: string): AccountObject {
  return { address: key.address, url: `keystore://${join(folder, key.file)}` }
}

/** Accounts with their keystore URL. @param folder absolute path */
export function accountObjects(keys: readonly KeyEntry[], folder: string): readonly AccountObject[] {
  return keys.map((key) => accountObject(key, folder))
}

export function deviceObject({ kind, address, path }: HardwareAccount): AccountObject {
  return { address, url: `${kind}://${path}` }
}

const NOBODY = { remote: '', local: '', scheme: '', 'User-Agent': '', Origin: '' }

function metaOf({ transport, remote, local, userAgent, origin }: Caller): Readonly<Record<string, string>> {
  const scheme = transport === 'app' ? 'in-proc' : transport
  return { remote, local, scheme, 'User-Agent': userAgent, Origin: origin }
}

function callInfo(findings: readonly Finding[]): readonly unknown[] | null {
  return findings.length === 0 ? null : findings.map(({ severity, message }) => ({ type: severity, message }))
}

function messageObject({ name, value, type }: DisplayEntry): unknown {
  return { name, value: typeof value === 'string' ? value : value.map(messageObject), type }
}

function transactionObject(tx: TransactionRequest): Readonly<Record<string, unknown>> {
  const number = (value: bigint | null): string | null => (value === null ? null : toQuantity(value))
  return {
    from: tx.from?.text ?? null,
    to: tx.to?.text ?? null,
    gas: toQuantity(tx.gas),
    gasPrice: number(tx.gasPrice),
    maxFeePerGas: number(tx.maxFeePerGas),
    maxPriorityFeePerGas: number(tx.maxPriorityFeePerGas),
    value: toQuantity(tx.value),
    nonce: toQuantity(tx.nonce),
    data: tx.data === null ? null : toHex(tx.data),
    ...(tx.accessList === null ? {} : { accessList: hexAccessList(tx.accessList) }),
    ...(tx.chainId === null ? {} : { chainId: toQuantity(tx.chainId) }),
  }
}
