// What the RPC front asks of whoever holds the keys. The signer meets it through a host adapter; nobody here sees a key.

export interface AccountsPort {
  /** 20 bytes each; empty when the holder does not tell. */
  list(): Promise<readonly Uint8Array[]>
}
