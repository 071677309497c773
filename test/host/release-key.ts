// Keys like minisign's, and signatures like the release tool's.
import { generateKeyPairSync } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'

export interface SecretKey {
  readonly id: Buffer
  readonly seed: Buffer
  readonly publicKey: Buffer
}

export const signer = z
  .object({
    readSecretKey: z.custom<(text: string, password?: string) => SecretKey>(),
    publicKeyLine: z.custom<(key: SecretKey) => string>(),
    signatureText: z.custom<(bytes: Buffer, options: { key: SecretKey; comment: string }) => string>(),
  })
  .parse({ ...(await import(pathToFileURL('tools/release/minisign.mjs').href)) })

/** @param id 8 letters */
export function newKey(id: string): SecretKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const [d, x] = [privateKey, publicKey].map((key) => key.export({ format: 'jwk' }))
  const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url')
  return { id: Buffer.from(id), seed: bytes(d?.d), publicKey: bytes(x?.x) }
}
