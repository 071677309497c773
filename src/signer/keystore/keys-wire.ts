// Messages between the signer and its key worker. Passwords and keys go in as bytes that the sender gives away;
// only addresses, encrypted key files and signatures come out.
import { z } from 'zod'
import { call } from '../../base/wire/define'

const bytes = (length: number) =>
  z.instanceof(Uint8Array).refine((value) => value.length === length, `want ${length} bytes`)
const passwordBytes = z.instanceof(Uint8Array).refine((value) => value.length <= 4096, 'want at most 4096 bytes')
const address = z.string().regex(/^0x[0-9a-f]{40}$/)
const strength = z.enum(['standard', 'light'])
const newKey = z.object({ address, keyFile: z.string() })

export const keysWire = {
  calls: {
    /** Makes a key. Nothing is stored: the caller writes `keyFile`. */
    create: call(z.object({ password: passwordBytes, strength }), newKey),
    /** Encrypts a given private key (32 bytes, wiped). */
    import: call(z.object({ secret: bytes(32), password: passwordBytes, strength }), newKey),
    /** Opens the file and encrypts its key again, under another password and with a fresh salt. */
    reencrypt: call(
      z.object({ keyFile: z.string(), address, password: passwordBytes, newPassword: passwordBytes, strength }),
      newKey,
    ),
    /** Opens the file, signs `digest`, forgets the key. Result: r, s, parity (32 + 32 + 1 bytes). */
    sign: call(
      z.object({
        keyFile: z.string(),
        address,
        password: passwordBytes,
        digest: bytes(32),
        /** Nothing else was asked of the worker when this was: it may do a light derivation on its own thread. */
        alone: z.boolean(),
      }),
      z.object({ signature: bytes(65) }),
    ),
    /** Opens the file and forgets the key: proof that file, address and password belong together. */
    verify: call(z.object({ keyFile: z.string(), address, password: passwordBytes }), z.object({})),
    /** Opens the file and keeps the key until `lock`: for accounts that the configuration unlocks. */
    unlock: call(z.object({ keyFile: z.string(), address, password: passwordBytes }), z.object({})),
    /** Signs with a key that `unlock` kept. The caller has recorded the approval that it belongs to. */
    signUnlocked: call(z.object({ address, digest: bytes(32) }), z.object({ signature: bytes(65) })),
    /**
     * Wipes the kept key of one account. With null those of all, and drops everything that still waits for its
     * derivation, wiping the passwords.
     */
    lock: call(z.object({ address: address.nullable() }), z.object({})),
  },
  events: {},
} as const

/** The definition's type, for both ends of the wire. */
export type KeysWire = typeof keysWire
