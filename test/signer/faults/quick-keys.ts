// A key worker whose derivation takes no time: real key files, with the minimum work that their format can express.
import { randomBytes } from 'node:crypto'
import { silentLogger } from '../../../src/base/logger'
import { systemClock } from '../../../src/base/time'
import type { Transport } from '../../../src/base/wire/define'
import { memoryTransportPair } from '../../../src/base/wire/memory'
import { serveWire, trustedPeer } from '../../../src/base/wire/server'
import { readContent } from '../../../src/signer/keystore/content-digest'
import { deriveKey } from '../../../src/signer/keystore/kdf'
import { KeyClient } from '../../../src/signer/keystore/key-client'
import { keysWire } from '../../../src/signer/keystore/keys-wire'
import { makeKeyFile } from '../../../src/signer/keystore/new-key-file'
import { addressOfSecret, signDigest } from '../../../src/signer/keystore/secret-key'
import { newKdfParams, openKeyFile, parseKeyFile } from '../../../src/signer/keystore/v3-file'
import { signedContentSchema } from '../../../src/signer/model/signed-content'
import { VaultKeeper } from '../../../src/signer/vault-keeper'
import type { GivenPassword } from '../../../src/signer/vault-wire'

interface Locked {
  readonly keyFile: string
  readonly password: Uint8Array
}

export function quickKeys(): KeyClient {
  return new KeyClient(() => quickKeyTransport(() => undefined))
}

/** @param onSigning called before a signature is computed */
export function quickKeyTransport(onSigning: () => void): Transport {
  const [ours, theirs] = memoryTransportPair()
  const done = async (): Promise<Record<string, never>> => ({})
  serveWire(
    keysWire,
    theirs,
    {
      create: ({ password }) => encrypt(randomBytes(32), bytesOf(password)),
      import: ({ secret, password }) => encrypt(bytesOf(secret), bytesOf(password)),
      reencrypt: async (input) => encrypt(await open(opening(input)), bytesOf(input.newPassword)),
      sign: async (input) => {
        const secret = await open(input)
        onSigning()
        const { digest } = readContent(input.address, signedContentSchema.parse(JSON.parse(input.content)))
        return { signature: new Uint8Array(signDigest(digest, secret)) }
      },
      verify: async (input) => {
        await open(opening(input))
        return {}
      },
      receiver: () => Promise.reject(new Error('nothing is sealed here')),
      signSealed: () => Promise.reject(new Error('nothing is sealed here')),
      unlock: done,
      signUnlocked: () => Promise.reject(new Error('nothing is kept open here')),
      lock: done,
      signStored: () => Promise.reject(new Error('nothing is stored here')),
      ...keeper().handlers,
    },
    { log: silentLogger, deny: trustedPeer },
  )
  return ours
}

function bytesOf(given: GivenPassword): Uint8Array {
  if (given.kind === 'plain') return given.password
  throw new Error('nothing is sealed here')
}

function opening({ keyFile, password }: { readonly keyFile: string; readonly password: GivenPassword }): Locked {
  return { keyFile, password: bytesOf(password) }
}

/** With an empty vault. */
function keeper(): VaultKeeper {
  const refuse = (): never => {
    throw new Error('nothing is sealed here')
  }
  const clock = systemClock()
  const uptime = { ms: () => clock.monotonic(), boot: null }
  return new VaultKeeper({ clock, uptime, randomBytes, unseal: refuse, verify: async () => refuse() })
}

async function encrypt(secret: Uint8Array, password: Uint8Array): Promise<{ address: string; keyFile: string }> {
  const kdf = { ...newKdfParams('light', randomBytes(32)), n: 2, p: 1 }
  const derived = await deriveKey(kdf, password)
  return { address: addressOfSecret(secret), keyFile: makeKeyFile({ secret, derived, kdf, iv: randomBytes(16) }) }
}

async function open({ keyFile, password }: Locked): Promise<Uint8Array> {
  const file = parseKeyFile(keyFile)
  return openKeyFile(file, await deriveKey(file.kdf, password))
}
