// What the RPC front asks of the signer. A host adapter implements it; no key is visible here.

/** The caller, as far as the connection reveals it; shown to the user. */
export interface RpcCaller {
  readonly transport: 'http' | 'ws' | 'ipc'
  /** Address and port of the socket; `NA` if there is none. */
  readonly remote: string
  /** The Host header. */
  readonly local: string
  readonly userAgent: string
  readonly origin: string
}

/** One request and how long it is worth answering. */
export interface AccountsCall {
  readonly caller: RpcCaller
  /** Aborted when the caller disconnects: a request waiting for the user is withdrawn. */
  readonly signal: AbortSignal
}

/** Everything except the signature. Amounts in wei. */
export interface UnsignedTransaction {
  /** 20 bytes */
  readonly from: Uint8Array
  /** 20 bytes; null = creation */
  readonly to: Uint8Array | null
  readonly gas: bigint
  /** Null when the two other fees are given. */
  readonly gasPrice: bigint | null
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  readonly value: bigint
  readonly nonce: bigint
  readonly data: Uint8Array
  /** Null = legacy, unless the fees imply otherwise. */
  readonly accessList: readonly { readonly address: Uint8Array; readonly storageKeys: readonly Uint8Array[] }[] | null
  readonly chainId: bigint
}

/** Rejections are HeadframeErrors whose text is returned to the caller. */
export interface AccountsPort {
  /** 20 bytes each; may wait for the user. Empty when rejected. */
  list(call: AccountsCall): Promise<readonly Uint8Array[]>
  /** The last known accounts, without asking the user; null before the first answer. */
  known(): readonly Uint8Array[] | null
  /** 65 bytes r, s, v (27 or 28) over the personal message of `data`. */
  signMessage(address: Uint8Array, data: Uint8Array, call: AccountsCall): Promise<Uint8Array>
  /** 65 bytes r, s, v (27 or 28) over an EIP-712 document, which the signer parses and checks. */
  signTypedData(address: Uint8Array, document: object, call: AccountsCall): Promise<Uint8Array>
  /** The signed transaction's bytes. */
  signTransaction(tx: UnsignedTransaction, call: AccountsCall): Promise<Uint8Array>
}
