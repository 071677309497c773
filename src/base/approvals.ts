// What a person's approval of a signature says, byte for byte: page and key process make it, neither trusts the host.
import { sha256 } from '@noble/hashes/sha2.js'
import { z } from 'zod'
import { concatBytes } from './bytes'
import { bytesOfHex, toBareHex } from './hex'
import { jsonOrNull } from './json-text'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `want ${2 * bytes} hex digits`)
/** SHA-256 of an approved content. */
const contentHash = hex(32)
/** A point of P-256, uncompressed. */
const point = z.string().regex(/^04[0-9a-f]{128}$/, 'want an uncompressed point of P-256')

/** Longest time that an account stays unlocked after an approval. */
const LONGEST_KEEP_MINUTES = 15
/** Payments that one password can approve together. */
export const MOST_TOGETHER = 64

/** What a sealed password may be used for. Its JSON text is authenticated together with the password. */
const sealedStatementSchema = z.strictObject({
  /** Each is signed once with this password, and nothing else is. */
  contents: z.array(contentHash).min(1).max(MOST_TOGETHER),
  /** Minutes for which the account stays unlocked afterwards, for this page; 0 = it doesn't. */
  keepMinutes: z.number().int().min(0).max(LONGEST_KEEP_MINUTES),
  /** Key of the page, which signs its later approvals; null where the account doesn't stay unlocked. */
  page: point.nullable(),
})
export type SealedStatement = z.infer<typeof sealedStatementSchema>

/** Reads a statement; null for anything else. Until the password is opened nobody vouches for it. */
export function readStatement(text: string): SealedStatement | null {
  return sealedStatementSchema.safeParse(jsonOrNull(text)).data ?? null
}

/**
 * A password that only the key process can read, for contents that it names. ECDH on P-256 with a key of its own,
 * HKDF-SHA256 (`sealInfo`), AES-256-GCM with an IV of zeros and the statement's UTF-8 bytes as additional data.
 */
export const sealedPasswordSchema = z.strictObject({
  kind: z.literal('sealed'),
  /** Public key that was made for this approval. */
  sender: point,
  /** JSON of SealedStatement, exactly as authenticated. */
  statement: z.string().max(8_192),
  /** The encrypted UTF-8 bytes and their tag, hex. */
  password: z
    .string()
    .max(2 * (4_096 + 16))
    .regex(/^(?:[0-9a-f]{2})+$/),
})
export type SealedPassword = z.infer<typeof sealedPasswordSchema>

/** Approves one content for an account that this page's password has unlocked: ECDSA on P-256 over `tokenMessage`. */
export const approvalTokenSchema = z.strictObject({
  kind: z.literal('token'),
  /** Random; the key process accepts each once. */
  once: hex(16),
  /** SHA-256, r and s, 64 bytes. */
  signature: hex(64),
})
export type ApprovalToken = z.infer<typeof approvalTokenSchema>

/** An approval as it leaves the page. */
export const givenApprovalSchema = z.discriminatedUnion('kind', [sealedPasswordSchema, approvalTokenSchema])
export type GivenApproval = z.infer<typeof givenApprovalSchema>

/** A transaction as it is approved: numbers as decimal text, bytes as `0x` text. */
export interface ApprovedTransaction {
  readonly chainId: string
  readonly nonce: string
  readonly gas: string
  readonly gasPrice: string | null
  readonly maxFeePerGas: string | null
  readonly maxPriorityFeePerGas: string | null
  /** Null for a creation. */
  readonly to: string | null
  readonly value: string
  readonly data: string
  readonly accessList: readonly { readonly address: string; readonly storageKeys: readonly string[] }[] | null
}

/** Hash of a transaction's approval, hex: of all that is signed, nothing else. @param account `0x` text in any case */
export function approvedTransactionHash(account: string, tx: ApprovedTransaction): string {
  const isDynamic = tx.maxFeePerGas !== null
  const form = isDynamic ? 'dynamicFee' : tx.accessList === null ? 'legacy' : 'accessList'
  const fees = isDynamic ? [tx.maxPriorityFeePerGas ?? '0', tx.maxFeePerGas ?? '0'] : [tx.gasPrice ?? '0']
  const list = (tx.accessList ?? []).map(({ address, storageKeys }) => [lower(address), storageKeys.map(lower)])
  const { chainId, nonce, gas, to, value, data } = tx
  return hashed('transaction', account, [form, chainId, nonce, fees, gas, to && lower(to), value, lower(data), list])
}

/** Hash of the approval of text or other data, hex. @param bytes hashed with keccak-256, prefix included, `0x` text */
export function approvedDataHash(account: string, bytes: string): string {
  return hashed('data', account, [lower(bytes)])
}

/** What a password is typed for, other than a signature: its JSON with members in order, the same wherever it is made. */
export function changeText(change: unknown): string {
  return JSON.stringify(change, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** How much of an account a rule script may have signed within 24 hours. */
export const scriptCapSchema = z.strictObject({
  signatures: z.number().int().positive().max(1_000_000),
  /** Values and highest fees of its transactions, wei, decimal. */
  wei: z.string().regex(/^(0|[1-9]\d{0,77})$/),
})
export type ScriptCap = z.infer<typeof scriptCapSchema>

/** The script that may approve, and how much. */
export interface AttestedScript extends ScriptCap {
  /** 64 hex digits */
  readonly sha256: string
}

/** For a script that was allowed without one: 100 signatures, 100 LAX. */
export const SCRIPT_CAP: ScriptCap = { signatures: 100, wei: `100${'0'.repeat(18)}` }

/** Hash of the approval of a change of the vault, hex. @param change its text, byte for byte */
export function approvedChangeHash(change: string): string {
  return hashed('change', '', [change])
}

function hashed(kind: 'transaction' | 'data' | 'change', account: string, content: readonly unknown[]): string {
  const text = JSON.stringify(['headframe approval 1', kind, lower(account), ...content])
  return toBareHex(sha256(new TextEncoder().encode(text)))
}

const lower = (text: string): string => text.toLowerCase()

/** HKDF's `info` of a sealed password: both public keys, hex. Its salt is empty. */
export function sealInfo(sender: string, receiver: string): Uint8Array {
  return concatBytes(utf8('headframe sealed password 1'), bytesOfHex(sender, 65), bytesOfHex(receiver, 65))
}

/** What a token signs. @param receiver public key of the key process, hex @param content hash, hex */
export function tokenMessage(receiver: string, content: string, once: string): Uint8Array {
  const fixed = concatBytes(bytesOfHex(receiver, 65), bytesOfHex(content, 32), bytesOfHex(once, 16))
  return concatBytes(utf8('headframe approval token 1'), fixed)
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
