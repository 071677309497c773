// The key worker's side: derives, decrypts, signs, wipes. Private keys exist only inside these functions.
import { wipe } from '../../base/bytes'
import type { Logger } from '../../base/logger'
import type { Transport } from '../../base/wire/define'
import { serveWire, trustedPeer, type WireServer } from '../../base/wire/server'
import { KeystoreError } from '../errors'
import { DerivationGate } from './derivation-gate'
import { deriveKey, type KdfParams, type KdfStrength, kdfMemoryBytes } from './kdf'
import { type KeysWire, keysWire } from './keys-wire'
import { addressOfSecret, isSecretKey, recoverAddress, signDigest } from './secret-key'
import { makeKeyFile, newKdfParams, openKeyFile, parseKeyFile } from './v3-file'

export interface ServeKeysDeps {
  readonly log: Logger
  /** Cryptographically strong; the worker entry passes node:crypto's. */
  readonly randomBytes: (length: number) => Uint8Array
}

interface FileAndPassword {
  readonly keyFile: string
  readonly address: string
  readonly password: Uint8Array
}

/** Answers `keysWire` on `transport`. Password and key bytes of every call are wiped, whatever its outcome. */
export function serveKeys(transport: Transport, deps: ServeKeysDeps): WireServer<KeysWire> {
  const gate = new DerivationGate()
  const derive = (kdf: KdfParams, password: Uint8Array): Promise<Uint8Array> =>
    gate.run(kdfMemoryBytes(kdf), () => deriveKey(kdf, password))

  const encrypt = async (secret: Uint8Array, password: Uint8Array, strength: KdfStrength) => {
    const address = addressOfSecret(secret)
    const kdf = newKdfParams(strength, deps.randomBytes(32))
    const derived = await derive(kdf, password)
    try {
      return { address, keyFile: makeKeyFile({ secret, derived, kdf, iv: deps.randomBytes(16) }) }
    } finally {
      wipe(derived)
    }
  }

  const withSecret = async <T>(input: FileAndPassword, use: (secret: Uint8Array) => T): Promise<T> => {
    const file = parseKeyFile(input.keyFile)
    if (file.address !== input.address) throw new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: input.address })
    const derived = await derive(file.kdf, input.password)
    try {
      const secret = openKeyFile(file, derived)
      try {
        return use(secret)
      } finally {
        wipe(secret)
      }
    } finally {
      wipe(derived)
    }
  }

  return serveWire(
    keysWire,
    transport,
    {
      create: ({ password, strength }) =>
        wiping([password], async () => {
          const secret = newSecret(deps.randomBytes)
          return wiping([secret], () => encrypt(secret, password, strength))
        }),
      import: ({ secret, password, strength }) => wiping([secret, password], () => encrypt(secret, password, strength)),
      sign: (input) =>
        wiping([input.password], () =>
          withSecret(input, (secret) => ({ signature: provenSignature(input.digest, secret, input.address) })),
        ),
      verify: (input) => wiping([input.password], () => withSecret(input, () => ({}))),
      lock: () => {
        gate.dropWaiting()
        return {}
      },
    },
    { log: deps.log, deny: trustedPeer },
  )
}

async function wiping<T>(secrets: readonly Uint8Array[], run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } finally {
    for (const secret of secrets) wipe(secret)
  }
}

/**
 * A signature that does not lead back to its account (a faulty computation) could give the key away: it never leaves.
 */
function provenSignature(digest: Uint8Array, secret: Uint8Array, address: string): Uint8Array<ArrayBuffer> {
  const signature = signDigest(digest, secret)
  if (recoverAddress(digest, signature) === address) return signature
  throw new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: address })
}

function newSecret(randomBytes: (length: number) => Uint8Array): Uint8Array {
  for (;;) {
    const secret = new Uint8Array(randomBytes(32))
    if (isSecretKey(secret)) return secret
  }
}
