// Requests signed on an offline device: each is a file in a folder, and its signature comes back through a window, or
// as a file beside it. A request is never kept longer than its caller waits.

import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { checksumAddress } from '../../base/checksum-address'
import type { Disposable } from '../../base/disposable'
import { isSystemCode, messageOf, reasonOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { bytesOfHex, toBareHex, toHex } from '../../base/hex'
import { jsonOrNull } from '../../base/json-text'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { onAbort } from '../../base/on-abort'
import type { Clock } from '../../base/time'
import { replaceDurably } from '../../files/durable-file'
import { SignerError } from '../errors'
import { plainDocument } from '../typed-data/document'
import { CborTag, type CborValue, decodeCbor, encodeCbor } from './cbor'
import type { DeviceWork, HardwareAccount } from './hardware-wallet'
import { madeBy } from './ledger-wallet'

const MAX_SIGNATURE_TEXT = 20_000
const ANSWER_TYPE = 'eth-signature'
const MAX_ANSWER_PARTS = 20
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
  const value = jsonOrNull(text)
  if (value === null) throw refused('it is no JSON')
  const parsed = jsonAnswer.safeParse(value)
  if (!parsed.success) throw refused('its JSON has no "signature"')
  const { requestId, signature } = parsed.data
  const isUuid = requestId === undefined || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(requestId)
  if (!isUuid) throw refused('its "requestId" is no UUID')
  return { requestId: requestId === undefined ? null : bytesOfUuid(requestId), signature: hexBytes(signature) }
}

function hexBytes(text: string): Uint8Array {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(text)) throw refused('want a UR, JSON with "signature", or 0x and hex digits')
  return bytesOfHex(text)
}

async function readUr(parts: readonly string[]): Promise<Brought> {
  const path = new RegExp(`^ur:${ANSWER_TYPE}/(?:(\\d{1,3})-(\\d{1,3})/)?[a-z]+$`, 'i')
  const { URDecoder } = await import('@ngraveio/bc-ur')
  const decoder = new URDecoder()
  for (const part of parts) {
    const match = path.exec(part)
    if (match === null || Number(match[2] ?? 1) > MAX_ANSWER_PARTS) throw refused(`want a UR of type ${ANSWER_TYPE}`)
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

const unsignedFileSchema = z.object({
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

/** Time to carry it to the device and back. */
const WAIT_MS = 3_600_000
const POLL_MS = 1_000
const REQUEST = '.json'
const ANSWER = '.signature'

interface AirgapRequestsDeps {
  readonly folder: string
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: (length: number) => Uint8Array
}

/** The request that a signature is for, and when its caller stopped waiting. */
export interface AirgapAsk {
  readonly requestId: string
  readonly signal: AbortSignal
}

interface Open {
  readonly file: UnsignedFile
  readonly signed: (signature: Uint8Array) => void
  readonly failed: (reason: unknown) => void
}

export class AirgapRequests {
  readonly #open = new Map<string, Open>()
  readonly #events = new Emitter<{ opened: string }>()
  #poll: Disposable | null = null

  constructor(private readonly deps: AirgapRequestsDeps) {}

  /**
   * Hands the request out and awaits its signature.
   * @returns 65 bytes: r, s, parity
   * @throws SignerError SIGNER_AIRGAP_FOLDER, SIGNER_AIRGAP_SILENT, SIGNER_DEVICE_REFUSED when the user cancelled it,
   * the signal's reason
   */
  async sign(account: HardwareAccount, work: DeviceWork, { requestId, signal }: AirgapAsk): Promise<Uint8Array> {
    const { clock, log, randomBytes } = this.deps
    const file = await unsignedRequest(randomBytes(16), account, work)
    await this.#write(file)
    const held = new Disposables()
    try {
      signal.throwIfAborted()
      return await new Promise<Uint8Array>((signed, failed) => {
        const silent = (): void => failed(new SignerError('SIGNER_AIRGAP_SILENT', { minutes: WAIT_MS / 60_000 }))
        held.add(clock.setTimeout(silent, WAIT_MS))
        held.add(onAbort(signal, () => failed(signal.reason)))
        this.#opened(requestId, { file, signed, failed })
        log.info('request waits for a signature from an offline device', { requestId: file.requestId })
      })
    } finally {
      held.dispose()
      this.#closed(requestId)
      await this.#remove(file.requestId)
    }
  }

  /** The request for display, once it is handed out. @throws the signal's reason */
  async unsigned(requestId: string, signal: AbortSignal): Promise<UnsignedFile> {
    for (;;) {
      signal.throwIfAborted()
      const open = this.#open.get(requestId)
      if (open !== undefined) return open.file
      const held = new Disposables()
      await new Promise<void>((resolve) => {
        held.add(onAbort(signal, resolve))
        held.add(this.#events.on('opened', () => resolve()))
      })
      held.dispose()
    }
  }

  /** An invalid one leaves the request waiting. @throws SignerError SIGNER_AIRGAP_ANSWER, SIGNER_AIRGAP_GONE */
  async give(requestId: string, text: string): Promise<void> {
    const open = this.#require(requestId)
    open.signed(await broughtSignature(text, open.file))
  }

  /** Cancels the request. @throws SignerError SIGNER_AIRGAP_GONE */
  giveUp(requestId: string): void {
    this.#require(requestId).failed(new SignerError('SIGNER_DEVICE_REFUSED', undefined))
  }

  #require(requestId: string): Open {
    const open = this.#open.get(requestId)
    if (open === undefined) throw new SignerError('SIGNER_AIRGAP_GONE', undefined)
    return open
  }

  #opened(requestId: string, open: Open): void {
    this.#open.set(requestId, open)
    this.#poll ??= this.deps.clock.setInterval(() => void this.#look(), POLL_MS)
    this.#events.emit('opened', requestId)
  }

  #closed(requestId: string): void {
    this.#open.delete(requestId)
    if (this.#open.size > 0) return
    this.#poll?.dispose()
    this.#poll = null
  }

  async #look(): Promise<void> {
    for (const open of [...this.#open.values()]) {
      const path = join(this.deps.folder, `${open.file.requestId}${ANSWER}`)
      const text = await textOf(path, MAX_SIGNATURE_TEXT + 1)
      if (text === null) continue
      try {
        open.signed(await broughtSignature(text, open.file))
      } catch (error) {
        this.deps.log.warn('file is not a signature of its request', { file: path, reason: messageOf(error) })
        await rm(path, { force: true }).catch(() => undefined)
      }
    }
  }

  async #write(file: UnsignedFile): Promise<void> {
    const { folder, clock } = this.deps
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await removeOld(folder, clock.now())
      await replaceDurably(join(folder, `${file.requestId}${REQUEST}`), `${JSON.stringify(file, null, 2)}\n`)
    } catch (cause) {
      throw new SignerError('SIGNER_AIRGAP_FOLDER', { folder, reason: reasonOf(cause) }, { cause })
    }
  }

  async #remove(requestId: string): Promise<void> {
    for (const end of [REQUEST, ANSWER]) {
      const path = join(this.deps.folder, `${requestId}${end}`)
      await rm(path, { force: true }).catch((error: unknown) =>
        this.deps.log.warn('request file cannot be removed', { file: path, reason: messageOf(error) }),
      )
    }
  }
}

/** The requests in the folder: of a running signer, and leftovers of a killed one. */
export async function unsignedFiles(folder: string): Promise<readonly UnsignedFile[]> {
  const found: UnsignedFile[] = []
  for (const name of await namesIn(folder)) {
    // One may have ended since the folder was listed.
    const text = name.endsWith(REQUEST) ? await textOf(join(folder, name)) : null
    const parsed = text === null ? null : unsignedFileSchema.safeParse(jsonOrNull(text))
    if (parsed?.success === true) found.push(parsed.data)
  }
  return found
}

/**
 * Places a signature beside its request, where the waiting signer looks.
 * @param requestId as in the request's file
 * @throws SignerError SIGNER_AIRGAP_ANSWER, SIGNER_AIRGAP_GONE, SIGNER_AIRGAP_FOLDER
 */
export async function bringSignature(folder: string, requestId: string, text: string): Promise<void> {
  const asked = (await unsignedFiles(folder)).find((file) => file.requestId === requestId.toLowerCase())
  if (asked === undefined) throw new SignerError('SIGNER_AIRGAP_GONE', undefined)
  await broughtSignature(text, asked)
  const path = join(folder, `${asked.requestId}${ANSWER}`)
  try {
    await replaceDurably(path, text)
  } catch (cause) {
    throw new SignerError('SIGNER_AIRGAP_FOLDER', { folder, reason: reasonOf(cause) }, { cause })
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (cause) {
    if (isSystemCode(cause, 'ENOENT')) return []
    throw new SignerError('SIGNER_AIRGAP_FOLDER', { folder, reason: reasonOf(cause) }, { cause })
  }
}

async function removeOld(folder: string, now: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(REQUEST) && !name.endsWith(ANSWER)) continue
    const path = join(folder, name)
    // Null: it has ended since the folder was listed.
    const found = await lstat(path).catch(() => null)
    if (found !== null && !found.isDirectory() && found.mtimeMs < now - WAIT_MS) await rm(path, { force: true })
  }
}

/** Null while there is none. @param most characters */
async function textOf(path: string, most?: number): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).slice(0, most)
  } catch {
    return null
  }
}
