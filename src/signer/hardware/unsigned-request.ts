// A request for an offline device: as a file that the user carries, and as QR codes for the device to scan (EIP-4527,
// uniform resources of type eth-sign-request).
import { z } from 'zod'
import { bytesOfHex, toHex } from '../../base/hex'
import { plainDocument } from '../typed-data/document'
import { CborTag, type CborValue, encodeCbor } from './cbor'
import type { DeviceWork, HardwareAccount } from './hardware-wallet'

/** EIP-4527: sign-data-type; untagged, as in the reference library. */
const DATA_TYPES = { legacy: 1, typedData: 2, text: 3, typedTransaction: 4 } as const
const KEY_PATH_TAG = 304
const UUID_TAG = 37
const TYPE = 'eth-sign-request'
/** Bytes per QR code: small enough for such devices' cameras. */
const PART_BYTES = 300
/** More could be displayed, but nobody would scan them. */
const MAX_PARTS = 100
const FIRST_TYPED_BYTE = 0x80
const ORIGIN = 'Headframe'
const HARDENED = /'$/

export const unsignedFileSchema = z.object({
  version: z.literal(1),
  /** 16 bytes in RFC 9562 notation; the answer may refer to it. */
  requestId: z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  address: z.string().regex(/^0x[0-9a-f]{40}$/),
  path: z.string(),
  /** Of the master key, 8 hex digits; empty when unknown. */
  fingerprint: z.string(),
  kind: z.enum(['transaction', 'text', 'typed']),
  /** Decimal; null when the signed content names its own. */
  chainId: z.string().nullable(),
  /** What the device signs: RLP or typed bytes of a transaction, a text without its prefix, a document as JSON. */
  signData: z.string().regex(/^0x(?:[0-9a-f]{2})*$/),
  /** What the signature must be over, 32 bytes. */
  digest: z.string().regex(/^0x[0-9a-f]{64}$/),
  /** One text per QR code; empty when more than a hundred would be needed. */
  ur: z.array(z.string()),
})

/** The file's content, and what a window displays. */
export type UnsignedFile = z.infer<typeof unsignedFileSchema>

/** @param id 16 random bytes */
export async function unsignedRequest(
  id: Uint8Array,
  account: HardwareAccount,
  work: DeviceWork,
): Promise<UnsignedFile> {
  const requestId = uuidOf(id)
  const signData = signDataOf(work)
  const chainId = work.kind === 'transaction' ? work.chainId : null
  const { address, path, fingerprint = '' } = account
  const request: (readonly [number, CborValue])[] = [
    [1, new CborTag(UUID_TAG, bytesOfUuid(requestId))],
    [2, signData],
    [3, dataTypeOf(work)],
    ...(chainId === null ? [] : [[4, Number(chainId)] as const]),
    [5, new CborTag(KEY_PATH_TAG, keyPath(path, fingerprint))],
    [6, bytesOfHex(address, 20)],
    [7, ORIGIN],
  ]
  return {
    version: 1,
    requestId,
    address,
    path,
    fingerprint,
    kind: work.kind,
    chainId: chainId?.toString() ?? null,
    signData: toHex(signData),
    digest: toHex(work.digest),
    ur: await partsOf(encodeCbor(new Map(request))),
  }
}

function signDataOf(work: DeviceWork): Uint8Array {
  if (work.kind === 'transaction') return work.payload
  if (work.kind === 'text') return work.text
  return new TextEncoder().encode(JSON.stringify(plainDocument(work.document)))
}

function dataTypeOf(work: DeviceWork): number {
  if (work.kind === 'text') return DATA_TYPES.text
  if (work.kind === 'typed') return DATA_TYPES.typedData
  return (work.payload[0] ?? FIRST_TYPED_BYTE) < FIRST_TYPED_BYTE ? DATA_TYPES.typedTransaction : DATA_TYPES.legacy
}

/** crypto-keypath of BCR-2020-007: pairs of index and hardness, and the master key's fingerprint. */
function keyPath(path: string, fingerprint: string): ReadonlyMap<number, CborValue> {
  const steps = path.split('/').slice(1)
  const pairs = steps.flatMap((step) => [Number.parseInt(step, 10), HARDENED.test(step)])
  const known: readonly (readonly [number, CborValue])[] =
    fingerprint === '' ? [] : [[2, Number.parseInt(fingerprint, 16)]]
  return new Map<number, CborValue>([[1, pairs], ...known])
}

/** Upper case, which gives smaller QR codes. */
async function partsOf(cbor: Uint8Array): Promise<string[]> {
  const { UR, UREncoder } = await import('@ngraveio/bc-ur')
  const encoder = new UREncoder(new UR(Buffer.from(cbor), TYPE), PART_BYTES)
  return encoder.fragmentsLength > MAX_PARTS ? [] : encoder.encodeWhole().map((part) => part.toUpperCase())
}

/** Version 4 of RFC 9562. */
function uuidOf(random: Uint8Array): string {
  const bytes = Uint8Array.from(random.subarray(0, 16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return toHex(bytes)
    .slice(2)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** @returns 16 bytes */
export function bytesOfUuid(uuid: string): Uint8Array {
  return bytesOfHex(`0x${uuid.replaceAll('-', '')}`, 16)
}
