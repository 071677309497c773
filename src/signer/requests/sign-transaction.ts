// account_signTransaction after its parameters were understood: what the user sees, and the signature behind an
// approval.
import { join } from 'node:path'
import { hasCode } from '../../base/errors'
import { toHex } from '../../base/hex'
import { bySeverity, type Finding } from '../checks/findings'
import { SignerError } from '../errors'
import type { KeyFolder } from '../keystore/folder'
import type { KeyClient } from '../keystore/key-client'
import { assembleSigned, describeSigned, type SignedTransactionView, signingHash } from '../transactions/encode'
import { maximumFee, payloadOf, type SpelledAddress, type TransactionRequest } from '../transactions/transaction'
import type { Approval, NewRequest, Performed } from './queue'
import type { Caller, TransactionDetails } from './request'

export interface SigningDeps {
  readonly folder: KeyFolder
  readonly keys: KeyClient
  /** Bound into every signature. */
  readonly chainId: bigint
}

export interface SignableTransaction {
  readonly transaction: TransactionRequest
  readonly from: SpelledAddress
  readonly findings: readonly Finding[]
  /** Parameters as received, JSON text. */
  readonly raw: string
}

/** What the queue needs to have `signable` approved and signed. */
export function signTransactionRequest(
  caller: Caller,
  callerGone: AbortSignal,
  signable: SignableTransaction,
  deps: SigningDeps,
): NewRequest<SignedTransactionView> {
  return {
    content: {
      kind: 'signTransaction',
      caller,
      transaction: details(signable, deps.chainId),
      accounts: null,
      findings: bySeverity(signable.findings),
    },
    doneState: 'signed',
    callerGone,
    objection: () => null,
    perform: (approval) => sign(signable, approval, deps),
    summary: ({ tx }) => ({ hash: String(tx.hash) }),
  }
}

/** Whether the account exists is found out only here, behind the approval, so that no caller can probe for accounts. */
async function sign(
  { transaction, from }: SignableTransaction,
  approval: Approval,
  { folder, keys, chainId }: SigningDeps,
): Promise<Performed<SignedTransactionView>> {
  const address = toHex(from.bytes)
  await folder.refresh()
  const files = folder.filesOf(address)
  const [file] = files
  if (file === undefined) throw new SignerError('SIGNER_UNKNOWN_ACCOUNT', undefined)
  if (files.length > 1) {
    throw new SignerError('SIGNER_MULTIPLE_KEYS', { files: files.map((name) => join(folder.path, name)) })
  }
  const keyFile = await folder.read(file)
  const password = approval.password ?? new Uint8Array(0)
  try {
    const signature = await keys.sign({ keyFile, address, password }, signingHash(transaction, chainId))
    const signed = assembleSigned(transaction, chainId, signature)
    return { kind: 'done', result: describeSigned(transaction, chainId, signed) }
  } catch (error) {
    if (!hasCode(error, 'KEYSTORE_WRONG_PASSWORD')) throw error
    const final = new SignerError('SIGNER_WRONG_PASSWORD', undefined)
    return { kind: 'retry', reason: final.message, final, slow: true }
  }
}

function details({ transaction: tx, from, raw }: SignableTransaction, chainId: bigint): TransactionDetails {
  return {
    from: from.text,
    to: tx.to?.text ?? null,
    value: tx.value.toString(),
    gas: Number(tx.gas),
    gasPrice: tx.gasPrice?.toString() ?? null,
    maxFeePerGas: tx.maxFeePerGas?.toString() ?? null,
    maxPriorityFeePerGas: tx.maxPriorityFeePerGas?.toString() ?? null,
    nonce: Number(tx.nonce),
    data: toHex(payloadOf(tx)),
    chainId: Number(chainId),
    maximumFee: maximumFee(tx).toString(),
    raw,
  }
}
