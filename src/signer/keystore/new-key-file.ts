// Makes key files, Web3 Secret Storage version 3. The only module that loads keythereum, which only the key worker needs;
// kdf.ts derives keys.
import keythereum from 'keythereum'
import { wipe } from '../../base/bytes'
import type { ScryptParams } from './kdf'

/** Text of a new version 3 file. @param key.derived from deriveKey with `key.kdf` @param key.iv 16 random bytes */
export function makeKeyFile(key: {
  readonly secret: Uint8Array
  readonly derived: Uint8Array
  readonly kdf: ScryptParams
  readonly iv: Uint8Array
}): string {
  const { n, r, p, dklen, salt } = key.kdf
  const derived = Buffer.from(key.derived)
  const secret = Buffer.from(key.secret)
  try {
    const options = { kdf: 'scrypt', cipher: 'aes-128-ctr', kdfparams: { n, r, p, dklen } } as const
    return JSON.stringify(keythereum.marshal(derived, secret, Buffer.from(salt), Buffer.from(key.iv), options))
  } finally {
    wipe(derived)
    wipe(secret)
  }
}
