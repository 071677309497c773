// A key for signing test transactions.
import { bigintFromBytes } from '../../base/bytes'
import { secp256k1 } from '../../native/secp256k1'
import { keccak256 } from '../codec/keccak'
import { encodeRlp, type RlpItem, rlpInteger } from '../codec/rlp'
import { decodeTransaction, signingHash, type Transaction } from '../model/transaction'

/** The fields of a transaction that a test sets. */
export type Payment = Partial<
  Pick<Transaction, 'nonce' | 'gasPrice' | 'gasLimit' | 'to' | 'value' | 'data' | 'chainId' | 'type' | 'accessList'>
>

/** Signs transactions with consecutive nonces. */
export class TestWallet {
  readonly address: Uint8Array
  readonly #key: Uint8Array

  /** @param seed a small number, which always gives the same key; or the key itself, 32 bytes */
  constructor(seed: number | Uint8Array) {
    this.#key = seed instanceof Uint8Array ? seed : keccak256(Uint8Array.of(seed))
    this.address = keccak256(secp256k1().publicKey(this.#key)).slice(12)
  }

  sign(payment: Payment = {}): Transaction {
    const base = {
      ...({ type: 0, chainId: 1337n, nonce: 0n, gasPrice: 10n ** 9n, gasLimit: 21_000n, value: 1n } as const),
      to: new Uint8Array(20).fill(7),
      data: new Uint8Array(0),
      accessList: [],
    }
    const tx = { ...base, ...payment }
    const signature = secp256k1().sign(signingHash(tx), this.#key)
    const parity = BigInt(signature[64] ?? 0)
    const r = rlpInteger(bigintFromBytes(signature.subarray(0, 32)))
    const s = rlpInteger(bigintFromBytes(signature.subarray(32, 64)))
    const fields: RlpItem[] = [
      ...[rlpInteger(tx.nonce), rlpInteger(tx.gasPrice), rlpInteger(tx.gasLimit)],
      ...[tx.to ?? new Uint8Array(0), rlpInteger(tx.value), tx.data],
    ]
    const list = tx.accessList.map((entry) => [entry.address, [...entry.storageKeys]])
    const v = tx.type === 1 ? parity : tx.chainId === null ? 27n + parity : 35n + 2n * tx.chainId + parity
    const raw =
      tx.type === 1
        ? Uint8Array.of(1, ...encodeRlp([rlpInteger(tx.chainId ?? 0n), ...fields, list, rlpInteger(v), r, s]))
        : encodeRlp([...fields, rlpInteger(v), r, s])
    const decoded = decodeTransaction(raw)
    if (!decoded.ok || decoded.value.kind !== 'supported') throw new Error('the test wallet made a bad transaction')
    return decoded.value
  }
}
