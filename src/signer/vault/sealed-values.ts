// A value encrypted under a name: AES-256-GCM with the name as additional data, so that values can't be swapped. Pure.
// Format: prlx signer/storage/aes_gcm_storage.go.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { z } from 'zod'
import { secretCopy, wipe } from '../../base/bytes'
import { isJsonObject } from '../../base/json-text'

const IV_BYTES = 12
const TAG_BYTES = 16

/** An encrypted value: base64. */
const sealedValueSchema = z.object({ iv: z.string().max(64), c: z.string().max(16 * 1024 * 1024) })
export type SealedValue = z.infer<typeof sealedValueSchema>

/** By name: any name, also `__proto__`, which a record would lose. @throws Error when the text has another form */
export function readSealedValues(text: string): Map<string, SealedValue> {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error(NO_VAULT)
  return new Map(
    Object.entries(value).map(([name, each]) => {
      const read = sealedValueSchema.safeParse(each)
      if (!read.success) throw new Error(NO_VAULT)
      return [name, read.data]
    }),
  )
}

const NO_VAULT = 'not in the form of a vault'

/** @param key 32 bytes */
export function sealValue(
  key: Uint8Array,
  name: string,
  { value, randomBytes }: { readonly value: Uint8Array; readonly randomBytes: (length: number) => Uint8Array },
): SealedValue {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(value), cipher.final(), cipher.getAuthTag()])
  return { iv: Buffer.from(iv).toString('base64'), c: sealed.toString('base64') }
}

/** @returns bytes that the caller owns; null for a value that is incomplete, was changed, or has another name or key */
export function openValue(key: Uint8Array, name: string, value: SealedValue): Uint8Array | null {
  const iv = Buffer.from(value.iv, 'base64')
  const sealed = Buffer.from(value.c, 'base64')
  if (iv.length !== IV_BYTES || sealed.length < TAG_BYTES) return null
  const parts: Uint8Array[] = []
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name))
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
    const begun = decipher.update(sealed.subarray(0, -TAG_BYTES))
    parts.push(begun)
    decipher.final() // a stream cipher: nothing is left to come
    return secretCopy(begun)
  } catch {
    return null
  } finally {
    for (const part of parts) wipe(part)
  }
}
