// Requests signed on an offline device: each is a file in a folder, and its signature comes back through a window, or
// as a file beside it. A request is never kept longer than its caller waits.

import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Disposable } from '../../base/disposable'
import { isSystemCode, messageOf, reasonOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { jsonOrNull } from '../../base/json-text'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { onAbort } from '../../base/on-abort'
import type { Clock } from '../../base/time'
import { replaceDurably } from '../../files/durable-file'
import { SignerError } from '../errors'
import { broughtSignature, MAX_SIGNATURE_TEXT } from './brought-signature'
import type { DeviceWork, HardwareAccount } from './hardware-wallet'
import { type UnsignedFile, unsignedFileSchema, unsignedRequest } from './unsigned-request'

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

  /**
   * Accepts a signature brought back by the user. An invalid one leaves the request waiting.
   * @throws SignerError SIGNER_AIRGAP_ANSWER, SIGNER_AIRGAP_GONE
   */
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
