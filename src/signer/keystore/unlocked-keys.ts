// Keys that stay unlocked because the configuration or the user keeps their accounts unlocked. They never leave the key
// worker.
import { wipe } from '../../base/bytes'
import { KeystoreError } from '../errors'

/** Holds unlocked keys. */
export class UnlockedKeys {
  readonly #secrets = new Map<string, Uint8Array>()

  /** @param secret 32 bytes, owned by this object from now on */
  keep(address: string, secret: Uint8Array): void {
    this.lock(address)
    this.#secrets.set(address, secret)
  }

  /** @throws KeystoreError KEYSTORE_NOT_UNLOCKED */
  use<T>(address: string, run: (secret: Uint8Array) => T): T {
    const secret = this.#secrets.get(address)
    if (secret === undefined) throw new KeystoreError('KEYSTORE_NOT_UNLOCKED', { address })
    return run(secret)
  }

  /** Wipes one key, or all for null. */
  lock(address: string | null): void {
    for (const [known, secret] of [...this.#secrets]) {
      if (address !== null && known !== address) continue
      wipe(secret)
      this.#secrets.delete(known)
    }
  }
}
