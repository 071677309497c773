// What the RPC front asks of whoever holds the keys. The signer meets it through a host adapter; nobody here sees a key.

/** Who asks, as far as the connection tells; shown where a person decides. */
export interface RpcCaller {
  readonly transport: 'http' | 'ws' | 'ipc'
  /** Address and port of the socket; `NA` where there is none. */
  readonly remote: string
  /** The Host header. */
  readonly local: string
  readonly userAgent: string
  readonly origin: string
}

/** One question and how long it is worth answering. */
export interface AccountsCall {
  readonly caller: RpcCaller
  /** Aborted when the caller goes away: what still waits for a person is withdrawn. */
  readonly signal: AbortSignal
}

/** Everything but the signature. Amounts in wei. */
export interface UnsignedTransaction {
  /** 20 bytes */
  readonly from: Uint8Array
  /** 20 bytes; null = creation */
  readonly to: Uint8Array | null
  readonly gas: bigint
  /** Null where the two other fees are given. */
  readonly gasPrice: bigint | null
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  readonly value: bigint
  readonly nonce: bigint
  readonly data: Uint8Array
  /** Null = legacy, unless fees say otherwise. */
  readonly accessList: readonly { readonly address: Uint8Array; readonly storageKeys: readonly Uint8Array[] }[] | null
  readonly chainId: bigint
}

/** Rejections are HeadframeErrors whose text goes to the caller. */
export interface AccountsPort {
  /** 20 bytes each; may wait for a person. Empty when refused. */
  list(call: AccountsCall): Promise<readonly Uint8Array[]>
  /** The accounts as last told, without asking anybody; null before. */
  known(): readonly Uint8Array[] | null
  /** 65 bytes r, s, v (27 or 28) over the personal message of `data`. */
  signMessage(address: Uint8Array, data: Uint8Array, call: AccountsCall): Promise<Uint8Array>
  /** 65 bytes r, s, v (27 or 28) over an EIP-712 document, which whoever holds the key reads and checks. */
  signTypedData(address: Uint8Array, document: object, call: AccountsCall): Promise<Uint8Array>
  /** The signed transaction's bytes. */
  signTransaction(tx: UnsignedTransaction, call: AccountsCall): Promise<Uint8Array>
}
