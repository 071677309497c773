// A signature brought back from an offline device. It is valid when the account's own key made it over the requested
// digest, whatever its encoding.
import { z } from 'zod'
import { checksumAddress } from '../../base/checksum-address'
import { messageOf } from '../../base/errors'
import { bytesOfHex, toBareHex } from '../../base/hex'
import { SignerError } from '../errors'
import { CborTag, decodeCbor } from './cbor'
import { madeBy } from './checked-signature'
import { bytesOfUuid, type UnsignedFile } from './unsigned-request'

/** Of pasted text or a file. */
export const MAX_SIGNATURE_TEXT = 20_000
const TYPE = 'eth-signature'
const MAX_PARTS = 20
const UUID_TAG = 37
const HALVES_BYTES = 64
/** Both halves, and v: one byte, or more when it includes the chain id. */
const MAX_BYTES = HALVES_BYTES + 8

const jsonAnswer = z.object({ requestId: z.string().optional(), signature: z.string() })

interface Brought {
  /** 16 bytes; null when it names no request. */
  readonly requestId: Uint8Array | null
  readonly signature: Uint8Array
}

/**
 * @param text parts of a UR (one per line), JSON with `signature` and optionally `requestId`, or the signature in hex
 * @returns 65 bytes: r, s, parity
 * @throws SignerError SIGNER_AIRGAP_ANSWER
 */
export async function broughtSignature(text: string, asked: UnsignedFile): Promise<Uint8Array> {
  const { requestId, signature } = await read(text.trim())
  if (requestId !== null && toBareHex(requestId) !== toBareHex(bytesOfUuid(asked.requestId)))
    throw refused('it answers another request')
  if (signature.length <= HALVES_BYTES || signature.length > MAX_BYTES)
    throw refused(`it has ${signature.length} bytes, want 65: r, s and v`)
  const proven = madeBy(signature.subarray(0, HALVES_BYTES), bytesOfHex(asked.digest, 32), asked.address)
  if (proven === null) throw refused(`${checksumAddress(asked.address)} did not make it over this request`)
  return proven
}

async function read(text: string): Promise<Brought> {
  if (text.length > MAX_SIGNATURE_TEXT) throw refused(`it has more than ${MAX_SIGNATURE_TEXT} characters`)
  if (/^ur:/i.test(text)) return readUr(text.split(/\s+/))
  if (!text.startsWith('{')) return { requestId: null, signature: hexBytes(text) }
  const parsed = jsonAnswer.safeParse(parsedJson(text))
  if (!parsed.success) throw refused('its JSON has no "signature"')
  const { requestId, signature } = parsed.data
  const isUuid = requestId === undefined || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(requestId)
  if (!isUuid) throw refused('its "requestId" is no UUID')
  return { requestId: requestId === undefined ? null : bytesOfUuid(requestId), signature: hexBytes(signature) }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('it is no JSON')
  }
}

function hexBytes(text: string): Uint8Array {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(text)) throw refused('want a UR, JSON with "signature", or 0x and hex digits')
  return bytesOfHex(text)
}

async function readUr(parts: readonly string[]): Promise<Brought> {
  const path = new RegExp(`^ur:${TYPE}/(?:(\\d{1,3})-(\\d{1,3})/)?[a-z]+$`, 'i')
  const { URDecoder } = await import('@ngraveio/bc-ur')
  const decoder = new URDecoder()
  for (const part of parts) {
    const match = path.exec(part)
    if (match === null || Number(match[2] ?? 1) > MAX_PARTS) throw refused(`want a UR of type ${TYPE}`)
    try {
      decoder.receivePart(part.toLowerCase())
    } catch (cause) {
      throw refused(`this UR cannot be read: ${messageOf(cause).slice(0, 100)}`)
    }
  }
  if (!decoder.isComplete() || !decoder.isSuccess()) throw refused('parts of this UR are missing')
  return signatureIn(decoder.resultUR().cbor)
}

function signatureIn(cbor: Uint8Array): Brought {
  try {
    const map = decodeCbor(cbor)
    const signature = map instanceof Map ? map.get(2) : null
    if (!(map instanceof Map) || !(signature instanceof Uint8Array)) throw new RangeError('no signature')
    const tagged = map.get(1)
    const id = tagged instanceof CborTag && tagged.tag === UUID_TAG ? tagged.value : tagged
    if (id === undefined) return { requestId: null, signature }
    if (!(id instanceof Uint8Array)) throw new RangeError('a request id that is none')
    return { requestId: id, signature }
  } catch (cause) {
    throw refused(`what is in this UR cannot be read: ${messageOf(cause)}`)
  }
}

function refused(reason: string): Error {
  return new SignerError('SIGNER_AIRGAP_ANSWER', { reason })
}
