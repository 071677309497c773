// What is signed, as data: plain JSON that the key worker decodes and hashes itself. Nobody hands it a digest.
import { z } from 'zod'

/** Up to 256 bits, decimal. */
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,77})$/)

export const signedContentSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('transaction'),
    /** Bound into every form. */
    chainId: decimal,
    /** Members of account_signTransaction; its sender is the account that signs. */
    transaction: z.record(z.string(), z.unknown()),
  }),
  /** Parameters of account_signData. */
  z.strictObject({ kind: z.literal('data'), contentType: z.string().max(256), data: z.unknown() }),
  z.strictObject({ kind: z.literal('typed'), document: z.unknown() }),
])

export type SignedContent = z.infer<typeof signedContentSchema>

/** A content with the digest that this side computed: a signature of anything else is dropped. */
export interface ToSign {
  readonly content: SignedContent
  /** 32 bytes */
  readonly digest: Uint8Array
}
