// The tries that result from a world's changes on top of the stored ones. Nothing is stored.
import { bytesFromBigint, minimalBytes } from '../../../base/bytes'
import { toBareHex } from '../../../base/hex'
import type { Keccak256 } from '../../codec/keccak'
import { encodeRlp } from '../../codec/rlp'
import { decodeAccount, encodeAccount } from '../../execution/account'
import type { World, WorldAccount } from '../../execution/world'
import { stateKeys } from '../../store/keys'
import type { StoreReader } from '../../store/store'
import { EMPTY_TRIE_ROOT, Trie } from '../../trie/trie'

/** For proofs and roots of a world that is never written. Roots are 32 bytes. */
export class WorldTries {
  readonly #made = new Map<string, Uint8Array>()

  constructor(
    private readonly store: StoreReader,
    private readonly keccak256: Keccak256,
  ) {}

  /** The node with this hash, stored or created here. */
  readonly read = (hash: Uint8Array): Uint8Array | undefined =>
    this.#made.get(toBareHex(hash)) ?? this.store.get(stateKeys.node(hash))

  /** Root of the account trie. @param below root of the state under the world, 32 bytes */
  stateRoot(world: World, below: Uint8Array): Uint8Array {
    const accounts = this.#trie(below)
    for (const account of world.loaded()) {
      const key = this.keccak256(account.address)
      if (!account.exists) {
        accounts.delete(key)
        continue
      }
      const { nonce, balance, codeHash } = account
      accounts.put(key, encodeAccount({ nonce, balance, codeHash, storageRoot: this.storageRoot(account, below) }))
    }
    return this.#commit(accounts)
  }

  /** Root of an account's storage trie. @param below root of the state under the world, 32 bytes */
  storageRoot(account: WorldAccount, below: Uint8Array): Uint8Array {
    const stored = account.wiped ? null : this.#trie(below).get(this.keccak256(account.address))
    const slots = this.#trie(stored === null ? EMPTY_TRIE_ROOT : decodeAccount(stored).storageRoot)
    for (const [slot, value] of account.slots) {
      const key = this.keccak256(bytesFromBigint(slot, 32))
      if (value === 0n) slots.delete(key)
      else slots.put(key, encodeRlp(minimalBytes(value)))
    }
    return this.#commit(slots)
  }

  #trie(root: Uint8Array): Trie {
    return new Trie(root, { read: this.read, keccak256: this.keccak256 })
  }

  #commit(trie: Trie): Uint8Array {
    const { root, nodes } = trie.commit()
    for (const [hash, node] of nodes) this.#made.set(toBareHex(hash), node)
    return root
  }
}
