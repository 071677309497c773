// The state as @ethereumjs/evm asks for it, over the overlay of the block that is being executed.
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address } from '@ethereumjs/util'
import { bytesName } from '../../../base/bytes'
import type { StateOverlay } from '../state-overlay'

/** Holds the overlay of the current block; `use` swaps it, so that one EVM serves all blocks. */
export class EvmState implements StateManagerInterface {
  readonly originalStorageCache: {
    get(address: Address, key: Uint8Array): Promise<Uint8Array>
    clear(): void
  }
  #overlay: StateOverlay | null = null
  /** Slot values at the start of the current transaction, of the slots it wrote. */
  readonly #originals = new Map<string, Uint8Array>()

  constructor() {
    this.originalStorageCache = {
      get: async (address, key) => this.#originals.get(slotName(address, key)) ?? this.overlay.slot(address.bytes, key),
      clear: () => this.#originals.clear(),
    }
  }

  get overlay(): StateOverlay {
    if (this.#overlay === null) throw new RangeError('no block is being executed')
    return this.#overlay
  }

  use(overlay: StateOverlay | null): void {
    this.#overlay = overlay
    this.#originals.clear()
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const state = this.overlay.account(address.bytes)
    return state === null ? undefined : new Account(state.nonce, state.balance, state.storageRoot, state.codeHash)
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    if (account === undefined) return this.deleteAccount(address)
    const { nonce, balance, storageRoot, codeHash } = account
    this.overlay.setAccount(address.bytes, { nonce, balance, storageRoot, codeHash })
  }

  async deleteAccount(address: Address): Promise<void> {
    this.overlay.setAccount(address.bytes, null)
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new Account()
    account.nonce = fields.nonce ?? account.nonce
    account.balance = fields.balance ?? account.balance
    account.storageRoot = fields.storageRoot ?? account.storageRoot
    account.codeHash = fields.codeHash ?? account.codeHash
    await this.putAccount(address, account)
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    this.overlay.setCode(address.bytes, code)
  }

  async getCode(address: Address): Promise<Uint8Array> {
    const account = this.overlay.account(address.bytes)
    return account === null ? new Uint8Array(0) : this.overlay.code(account.codeHash)
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return this.overlay.slot(address.bytes, key)
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const name = slotName(address, key)
    if (!this.#originals.has(name)) this.#originals.set(name, this.overlay.slot(address.bytes, key))
    this.overlay.setSlot(address.bytes, key, value)
  }

  async clearStorage(address: Address): Promise<void> {
    this.overlay.clearStorage(address.bytes)
  }

  async checkpoint(): Promise<void> {
    this.overlay.checkpoint()
  }

  async commit(): Promise<void> {
    this.overlay.commit()
  }

  async revert(): Promise<void> {
    this.overlay.revert()
  }

  clearCaches(): void {
    this.#originals.clear()
  }

  // Roots belong to whole blocks here; nothing in the EVM of this chain's rules asks for them.
  async getStateRoot(): Promise<Uint8Array> {
    throw new RangeError('the root is known at the end of a block only')
  }

  async setStateRoot(): Promise<void> {
    throw new RangeError('the state is chosen per block')
  }

  async hasStateRoot(): Promise<boolean> {
    return false
  }

  shallowCopy(): StateManagerInterface {
    throw new RangeError('an engine has one state')
  }
}

function slotName(address: Address, key: Uint8Array): string {
  return bytesName(address.bytes) + bytesName(key)
}
