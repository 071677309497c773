// Messages between the signer and its key worker. Passwords, keys and contents go in; only addresses, encrypted key files
// and signatures come out. No call takes a digest: the worker decodes and hashes what it signs.
import { z } from 'zod'
import { approvalTokenSchema, sealedPasswordSchema } from '../../base/approvals'
import { call } from '../../base/wire/define'
import {
  address,
  bytes,
  contentText,
  givenPasswordSchema,
  passwordBytes,
  sealedValueShape,
  vaultCalls,
} from '../vault-wire'

const strength = z.enum(['standard', 'light'])
const newKey = z.object({ address, keyFile: z.string() })
const opening = z.object({
  keyFile: z.string(),
  address,
  content: contentText,
  /** The worker was idle when this was sent: it may run a light derivation on its own thread. */
  alone: z.boolean(),
})
/** r, s, parity: 32 + 32 + 1 bytes. */
const signed = z.object({ signature: bytes(65) })

export const keysWire = {
  calls: {
    /**
     * Makes a key. Nothing is stored: the caller writes `keyFile`, which was opened once with its password, as with the
     * next two. A sealed password is for the change `create`.
     */
    create: call(z.object({ password: givenPasswordSchema, strength }), newKey),
    /**
     * Encrypts a given private key: 32 bytes, or sealed the text of a key or a seed phrase. Both or none are sealed, for
     * the change `import`.
     */
    import: call(z.object({ secret: givenPasswordSchema, password: givenPasswordSchema, strength }), newKey),
    /** Opens the file and re-encrypts its key with another password and a fresh salt. Both or none are sealed. */
    reencrypt: call(
      z.object({
        keyFile: z.string(),
        /** Null = whatever key the file holds. */
        address: address.nullable(),
        /** Of sealed passwords: `password` names the address, too. */
        change: z.enum(['import', 'password']),
        password: givenPasswordSchema,
        newPassword: givenPasswordSchema,
        strength,
      }),
      newKey,
    ),
    /** Opens the file, hashes and signs `content`, wipes the key. */
    sign: call(opening.extend({ password: passwordBytes }), signed),
    /**
     * Opens the file and wipes the key: verifies that file, address and password match. A sealed password is for the
     * change `open` of this address.
     */
    verify: call(z.object({ keyFile: z.string(), address, password: givenPasswordSchema }), z.object({})),
    /** Public key for which pages seal passwords, hex: made when the worker started, and never stored. */
    receiver: call(z.object({}), z.object({ receiver: z.string().regex(/^04[0-9a-f]{128}$/) })),
    /**
     * Like `sign`, with a password that a page sealed for exactly this content. Then keeps the key unlocked for that page,
     * if its statement says so.
     */
    signSealed: call(opening.extend({ sealed: sealedPasswordSchema }), signed),
    /**
     * Like `sign`, with a stored password that the worker opens itself: only for what a policy, or a script within its
     * cap, covered, once; or where the vault was opened with bytes, so that the caller could open it too.
     */
    signStored: call(
      opening.extend({ value: sealedValueShape, by: z.enum(['rule', 'streams']), request: z.string().max(256) }),
      signed,
    ),
    ...vaultCalls,
    /** Opens the file and keeps the key until `lock`: for accounts unlocked by configuration. */
    unlock: call(z.object({ keyFile: z.string(), address, password: passwordBytes }), z.object({})),
    /**
     * Signs with a key that is unlocked. If a page unlocked it, only with that page's token for this content; by
     * configuration, without one.
     */
    signUnlocked: call(z.object({ address, content: contentText, token: approvalTokenSchema.nullable() }), signed),
    /**
     * Wipes one account's unlocked key. With null all of them, and drops everything waiting for its derivation, wiping
     * the passwords.
     */
    lock: call(z.object({ address: address.nullable() }), z.object({})),
  },
  events: {},
} as const

export type KeysWire = typeof keysWire
