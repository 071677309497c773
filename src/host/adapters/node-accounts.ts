// The node's accounts: of the keystore or the signer; signed with an unlocked key, or as the user decides.
import { z } from 'zod'
import { checksumAddress } from '../../base/checksum-address'
import { messageOf } from '../../base/errors'
import { fromHex, toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { toQuantity } from '../../base/quantity'
import type { AccountsCall, AccountsPort, UnsignedTransaction } from '../../node/ports/accounts-port'
import { RpcFault } from '../../node/rpc-fault'
import { textData } from '../../signer/data/sign-data'
import { SignerError } from '../../signer/errors'
import { dataToSign } from '../../signer/keystore/content-digest'
import type { ToSign } from '../../signer/model/signed-content'
import type { TransactionRequest } from '../../signer/model/transaction'
import { assembleSigned, transactionToSign } from '../../signer/transactions/encode'
import { parseDocument, signableDocument } from '../../signer/typed-data/document'
import type { SignerCall } from './signer-call'

/** Keys unlocked by configuration. */
export interface UnlockedKeysPort {
  /** @param address lower case */
  has(address: string): boolean
  /** @returns 65 bytes: r, s, parity */
  sign(
    address: string,
    what: ToSign,
    use: { readonly method: string; readonly asker: string; readonly summary: string },
  ): Promise<Uint8Array>
}

export interface NodeAccountsDeps {
  /** Accounts listed to any authorized caller, 20 bytes each; null when the signer's user decides. */
  readonly keystore: (() => readonly Uint8Array[]) | null
  /** Null: nobody can be asked, so locked accounts can't sign. */
  readonly ask: SignerCall | null
  readonly unlocked: UnlockedKeysPort | null
  /** Accounts known without listing: the unlocked ones. 20 bytes each. */
  readonly always?: readonly Uint8Array[]
  readonly log: Logger
}

const hexBytes = z.string().transform((text, context) => {
  const bytes = text.startsWith('0x') ? fromHex(text) : null
  if (bytes !== null) return bytes
  context.addIssue('not hex bytes')
  return z.NEVER
})
const addressList = z.array(hexBytes.refine((bytes) => bytes.length === 20, 'not 20 bytes'))
const signatureBytes = hexBytes.refine((bytes) => bytes.length === 65, 'not 65 bytes')
const signedTransaction = z.object({ raw: hexBytes })

const failed = (reason: string) => new RpcFault('RPC_FAILED', { reason })

/** The accounts behind JSON-RPC. */
export class NodeAccounts implements AccountsPort {
  #told: readonly Uint8Array[] | null = null

  constructor(private readonly deps: NodeAccountsDeps) {}

  known(): readonly Uint8Array[] | null {
    const { keystore } = this.deps
    if (keystore !== null) return keystore()
    return this.#told === null ? null : this.#withAlways(this.#told)
  }

  async list(call: AccountsCall): Promise<readonly Uint8Array[]> {
    const { keystore, ask, log } = this.deps
    if (keystore !== null) return keystore()
    if (ask === null) return []
    try {
      this.#told = read(addressList, await ask('account_list', [], call))
      return this.#withAlways(this.#told)
    } catch (error: unknown) {
      log.debug('account change not delivered', { error: messageOf(error) })
      return []
    }
  }

  async signMessage(address: Uint8Array, data: Uint8Array, call: AccountsCall): Promise<Uint8Array> {
    const unlocked = this.#unlockedOf(address)
    if (unlocked === null)
      return read(
        signatureBytes,
        await this.#ask('account_signData', ['text/plain', checksumAddress(address), toHex(data)], call),
      )
    const summary = `message of ${data.length} bytes`
    const what = dataToSign(textData('text/plain', data), null)
    return withParity(await unlocked.sign(toHex(address), what, use('eth_sign', call, summary)))
  }

  async signTypedData(address: Uint8Array, document: object, call: AccountsCall): Promise<Uint8Array> {
    const unlocked = this.#unlockedOf(address)
    if (unlocked === null) {
      const params = [checksumAddress(address), document]
      return read(signatureBytes, await this.#ask('account_signTypedData', params, call))
    }
    const parsed = parseDocument(document)
    const data = signableDocument(parsed)
    const { unsigned = [] } = data
    // Nobody sees a warning: an unlocked account signs only documents that are signed whole.
    if (unsigned.length > 0)
      throw new SignerError('SIGNER_TYPED_DATA_INVALID', {
        place: 'message',
        reason: `undeclared members: ${unsigned.join(', ')}`,
        reference: null,
      })
    const summary = `typed data, ${parsed.primaryType}`
    const what = dataToSign(data, parsed)
    return withParity(await unlocked.sign(toHex(address), what, use('eth_signTypedData_v4', call, summary)))
  }

  async signTransaction(tx: UnsignedTransaction, call: AccountsCall): Promise<Uint8Array> {
    const unlocked = this.#unlockedOf(tx.from)
    if (unlocked === null)
      return read(signedTransaction, await this.#ask('account_signTransaction', [encoded(tx)], call)).raw
    const request = requestOf(tx)
    const receiver = tx.to === null ? 'contract creation' : checksumAddress(tx.to)
    const summary = `${receiver}, ${tx.value} wei, nonce ${tx.nonce}`
    const what = transactionToSign(request, tx.chainId)
    const signature = await unlocked.sign(toHex(tx.from), what, use('eth_sendTransaction', call, summary))
    return assembleSigned(request, tx.chainId, signature).raw
  }

  #withAlways(told: readonly Uint8Array[]): readonly Uint8Array[] {
    const names = new Set(told.map(toHex))
    return [...told, ...(this.deps.always ?? []).filter((address) => !names.has(toHex(address)))]
  }

  #unlockedOf(address: Uint8Array): UnlockedKeysPort | null {
    const { unlocked } = this.deps
    return unlocked?.has(toHex(address)) === true ? unlocked : null
  }

  #ask(method: string, params: readonly unknown[], call: AccountsCall): Promise<unknown> {
    const { ask } = this.deps
    if (ask === null) throw failed('authentication needed: password or unlock')
    return ask(method, params, call)
  }
}

/** r, s and 27 or 28, as wallets expect. @param signature 65 bytes ending in parity 0 or 1 */
function withParity(signature: Uint8Array): Uint8Array {
  const out = Uint8Array.from(signature)
  out[64] = (out[64] ?? 0) + 27
  return out
}

function use(method: string, { caller }: AccountsCall, summary: string) {
  return { method, asker: caller.remote, summary }
}

/** Parameters of account_signTransaction. */
function encoded(tx: UnsignedTransaction) {
  const fee = (name: string, value: bigint | null) => (value === null ? {} : { [name]: toQuantity(value) })
  const accessList = tx.accessList?.map((entry) => ({
    address: toHex(entry.address),
    storageKeys: entry.storageKeys.map(toHex),
  }))
  return {
    from: checksumAddress(tx.from),
    ...(tx.to === null ? {} : { to: checksumAddress(tx.to) }),
    gas: toQuantity(tx.gas),
    ...fee('gasPrice', tx.gasPrice),
    ...fee('maxFeePerGas', tx.maxFeePerGas),
    ...fee('maxPriorityFeePerGas', tx.maxPriorityFeePerGas),
    value: toQuantity(tx.value),
    nonce: toQuantity(tx.nonce),
    data: toHex(tx.data),
    chainId: toQuantity(tx.chainId),
    ...(accessList === undefined ? {} : { accessList }),
  }
}

function requestOf({ from, to, ...tx }: UnsignedTransaction): TransactionRequest {
  const spelled = (bytes: Uint8Array) => ({ text: toHex(bytes), bytes })
  return { ...tx, from: spelled(from), to: to === null ? null : spelled(to), input: null, methodSignature: null }
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw failed('the signer answered with something else than was asked for')
}
