// Calls about the vault, part of the key worker's wire. The worker alone opens the master seed: it keeps the keys of
// stored passwords, attestations and policies, judges policies, and returns encrypted records. The caller keeps the files.
import { z } from 'zod'
import { scriptCapSchema, sealedPasswordSchema } from '../base/approvals'
import { call, type Handlers, type ParamsOf, type ResultOf } from '../base/wire/define'

/** After so many records a journal is written anew, with one record in place of all. */
export const COMPACT_AFTER = 10_000

export const bytes = (length: number) =>
  z.instanceof(Uint8Array).refine((value) => value.length === length, `want ${length} bytes`)
export const passwordBytes = z.instanceof(Uint8Array).refine((value) => value.length <= 4096, 'want at most 4096 bytes')
export const address = z.string().regex(/^0x[0-9a-f]{40}$/)
/** JSON of a SignedContent, as text: nothing in a caller's document can pass for the frame's own bytes. */
export const contentText = z.string().max(12 * 1024 * 1024)
const fileText = z.string().max(14 * 1024 * 1024)
/** An encrypted value, base64. */
export const sealedValueShape = z.object({ iv: z.string().max(64), c: z.string().max(16_384) })

/** A password for the key worker: its bytes, or sealed by a page for one change, which the worker compares. */
export const givenPasswordSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('plain'), password: passwordBytes }),
  sealedPasswordSchema,
])
export type GivenPassword = z.infer<typeof givenPasswordSchema>

/** @param password with a buffer of its own, which whoever is handed it may wipe or move */
export function plainPassword(password: Uint8Array): GivenPassword {
  return { kind: 'plain', password: password as Uint8Array<ArrayBuffer> }
}

/** JSON text of a change, as a page hashes it: `changeText`. */
const change = z.string().max(1024 * 1024)

const count = z.number().int().nonnegative()
/** What is to be written: `isWhole` in place of the file, else at its end. */
const madeRecord = z.object({ text: z.string(), isWhole: z.boolean(), version: count })
export type MadeRecord = z.infer<typeof madeRecord>

const journalReading = z.union([
  /** `bytes` of its whole lines. */
  z.object({ version: count, bytes: count, records: count, made: madeRecord.optional() }),
  z.object({
    fault: z.enum(['form', 'number', 'changed', 'summary', 'meaning', 'older', 'unvouched']),
    record: count,
    version: count,
    wanted: count,
  }),
])
export type JournalReading = z.infer<typeof journalReading>

/** What the caller's node says: the worker has no network, and takes its word. */
const chainFacts = z.object({
  /** Next nonce, decimal; `absent` without a node; null = it didn't say. */
  nonce: z.string().max(80).nullable(),
  standard: z.enum(['erc20', 'erc721']).nullable(),
})
export type ToldFacts = z.infer<typeof chainFacts>

const ruling = z.object({
  /** Null = not covered. */
  policy: z.object({ id: z.string(), name: z.string() }).nullable(),
  made: madeRecord.nullable(),
})

const listing = z.object({ policies: z.unknown(), matches: z.unknown() })
const written = z.object({ made: madeRecord.nullable() })

export const vaultCalls = {
  /** Text of a new master seed's file; nothing is stored. A sealed password is for the change `init`. */
  vaultCreate: call(
    z.object({ password: givenPasswordSchema, strength: z.enum(['standard', 'light']) }),
    z.object({ seedFile: z.string() }),
  ),
  /** Opens the master seed and keeps its keys until `vaultClose`. A sealed password is for the change `unlock`. */
  vaultOpen: call(
    z.object({ seedFile: z.string().max(65_536), password: givenPasswordSchema }),
    z.object({
      folder: z.string().regex(/^[0-9a-f]{20}$/),
      /** Of what rule scripts store: they run outside. */
      scriptKey: bytes(32),
      auditKey: bytes(32),
    }),
  ),
  vaultClose: call(z.object({}), z.object({})),
  /** Proves the master password for one change, which the next call makes. */
  vaultProve: call(z.object({ change, password: givenPasswordSchema }), z.object({})),
  /** Encrypts an account's password, for the proven change `store`. @param keyFile must open with it; null = it was tried */
  vaultStore: call(
    z.object({ change, keyFile: z.string().nullable(), address, password: givenPasswordSchema }),
    z.object({ value: sealedValueShape }),
  ),
  /** Encrypts a script's hash, for the proven change `attest`; the journal's record of it holds its cap. */
  vaultAttest: call(z.object({ change }), z.object({ value: sealedValueShape, made: madeRecord })),
  /** What of an attestation is in force; `script` null: it's another vault's, or not the last one: see PolicyBook. */
  vaultAttested: call(
    z.object({ value: sealedValueShape }),
    z.object({
      script: scriptCapSchema.extend({ sha256: z.string() }).nullable(),
      fault: z.enum(['changed', 'other']),
      made: madeRecord.nullable(),
    }),
  ),

  /** Reads the journal's file. @param earlier file of earlier programs, for a journal that is empty */
  journalRead: call(
    z.object({ text: fileText, earlier: fileText.nullable(), vouched: count.nullable() }),
    journalReading,
  ),
  journalRestore: call(z.object({ change, text: fileText, vouched: count.nullable() }), journalReading),
  journalCompact: call(z.object({}), written),
  policyList: call(z.object({}), listing),
  /** A proven change, or one that only removes or switches off. @param isTrial only returns what would be */
  policyChange: call(z.object({ change, isTrial: z.boolean() }), listing.extend({ made: madeRecord.nullable() })),
  /**
   * Judges a question. What a policy covers counts at once, and lets the account's stored password sign exactly this
   * content, once. @param question JSON of method, findings and caller @param content see `sign`; null for a listing
   */
  policyJudge: call(
    z.object({
      request: z.string().max(256),
      question: z.string().max(1024 * 1024),
      address: address.nullable(),
      content: z
        .string()
        .max(64 * 1024)
        .nullable(),
      facts: chainFacts,
    }),
    ruling,
  ),
  /** Counts what the attested script approved: see PolicyBook. @param content of a transaction, see `sign` */
  policyJudgeScript: call(
    z.object({ request: z.string().max(256), address, content: contentText.nullable() }),
    z.object({ isCovered: z.boolean(), made: madeRecord.nullable() }),
  ),
  /** Nothing was signed: what it took is returned, unless it was signed after all. */
  policyReturn: call(z.object({ request: z.string().max(256) }), written),
  /** A nonce that the account has signed, decimal. */
  policyNonce: call(z.object({ request: z.string().max(256), address, nonce: z.string().max(80) }), written),
} as const

type VaultCalls = typeof vaultCalls
interface VaultWire {
  readonly calls: VaultCalls
  readonly events: Record<never, never>
}
export type VaultHandlers = Handlers<VaultWire>

/** The vault's keys, in the key worker or in this process. */
export interface VaultPort {
  /**
   * @param params a plain password's buffer is moved
   * @throws VaultError SIGNER_VAULT_CLOSED, SIGNER_MASTER_PASSWORD, SIGNER_MASTER_NEEDED, KeystoreError
   * KEYSTORE_APPROVAL_*, KEYSTORE_TOO_MANY_TRIES, and as the call says
   */
  call<N extends keyof VaultCalls & string>(name: N, params: ParamsOf<VaultWire, N>): Promise<ResultOf<VaultWire, N>>
}
