// Ledger devices through Ledger's own library, loaded on first use. It is configured not to use the network, and none
// of its answers is trusted: addresses are compared, signatures verified by recovery.
import type Eth from '@ledgerhq/hw-app-eth'
import { concatBytes } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { HeadframeError, messageOf } from '../../base/errors'
import { addressOfPublicKey, fromHex, type LowerAddress, toBareHex } from '../../base/hex'
import { Mutex } from '../../base/mutex'
import { onAbort, untilAborted } from '../../base/on-abort'
import type { Clock } from '../../base/time'
import { secp256k1 } from '../../native/secp256k1'
import { SignerError } from '../errors'
import { plainDocument } from '../typed-data/document'
import type { DeviceChannel, DevicePort, PluggedDevice } from './device-port'
import type { DeviceWork, HardwareAccount } from './hardware-wallet'

const HALF_BYTES = 32

/** As returned by libraries: hex without prefix. */
interface AnsweredSignature {
  readonly r: string
  readonly s: string
}

/**
 * Libraries pass on whatever a device sent, and even an empty answer looks like a signature to them. Both parities are
 * tried: how devices report it depends on what was signed. @throws SignerError SIGNER_DEVICE_SIGNATURE
 */
function checkedSignature({ r, s }: AnsweredSignature, digest: Uint8Array, address: LowerAddress): Uint8Array {
  const halves = [r, s].map((text) => fromHex(text))
  const [first, second] = halves
  const isWhole = first?.length === HALF_BYTES && second?.length === HALF_BYTES
  const proven = isWhole ? madeBy(concatBytes(first, second), digest, address) : null
  if (proven === null) throw new SignerError('SIGNER_DEVICE_SIGNATURE', { address: checksumAddress(address) })
  return proven
}

/**
 * Null when the account's key didn't sign the digest.
 * @param halves r and s, 64 bytes @param digest 32 bytes
 * @returns 65 bytes: r, s, parity
 */
export function madeBy(halves: Uint8Array, digest: Uint8Array, address: LowerAddress): Uint8Array | null {
  for (const parity of [0, 1]) {
    const key = secp256k1().recoverKey(digest, halves, parity)
    // `verify` accepts only the lower s, as nodes do.
    if (key !== null && addressOfPublicKey(key) === address && secp256k1().verify(digest, halves, key)) {
      return concatBytes(halves, Uint8Array.of(parity))
    }
  }
  return null
}

type Meaning =
  | 'SIGNER_DEVICE_LOCKED'
  | 'SIGNER_DEVICE_APP'
  | 'SIGNER_DEVICE_REFUSED'
  | 'SIGNER_DEVICE_BLIND_SIGNING'
  | 'SIGNER_DEVICE_PATH'

/** Sources: the status words of Ledger's Ethereum app and of its operating system, and test/vectors/ledger. */
const MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  [0x5515, 'SIGNER_DEVICE_LOCKED'],
  [0x6804, 'SIGNER_DEVICE_LOCKED'],
  [0x6982, 'SIGNER_DEVICE_LOCKED'],
  [0x6b0c, 'SIGNER_DEVICE_LOCKED'],
  // The dashboard answers some of these, other apps the rest: class or instruction not supported.
  [0x6511, 'SIGNER_DEVICE_APP'],
  [0x6d00, 'SIGNER_DEVICE_APP'],
  [0x6d02, 'SIGNER_DEVICE_APP'],
  [0x6e00, 'SIGNER_DEVICE_APP'],
  [0x6e01, 'SIGNER_DEVICE_APP'],
  [0x6985, 'SIGNER_DEVICE_REFUSED'],
  [0x5501, 'SIGNER_DEVICE_REFUSED'],
  [0x6a80, 'SIGNER_DEVICE_BLIND_SIGNING'],
  [0x6a15, 'SIGNER_DEVICE_PATH'],
])

const UNKNOWN_INSTRUCTION = 0x6d00

/** The library's error in our words. @param path the requested one */
function deviceError(error: unknown, path: string): HeadframeError {
  const status = statusOf(error)
  const meaning = status === null ? undefined : MEANINGS.get(status)
  const cause = { cause: error }
  if (meaning === 'SIGNER_DEVICE_PATH') {
    return new SignerError('SIGNER_DEVICE_PATH', { path, reason: 'the device does not derive it' }, cause)
  }
  if (meaning !== undefined) return new SignerError(meaning, undefined, cause)
  const reason = status === null ? messageOf(error).slice(0, 200) : `status 0x${status.toString(16)}`
  return new SignerError('SIGNER_DEVICE_ANSWER', { reason }, cause)
}

/** Null when there is none. The library hides the status of rejected call data behind its own error. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null
  if (error.name === 'EthAppPleaseEnableContractData') return 0x6a80
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null
}

/** For operations that need no confirmation. */
const ANSWER_MS = 20_000
/** The user reads the device's screens, page by page. */
const CONFIRM_MS = 300_000
/** Each null keeps the library from one of its servers. */
const NO_SERVERS = { calServiceURL: null, cryptoassetsBaseURL: null, pluginBaseURL: null, nftExplorerBaseURL: null }
const SCRAMBLE_KEY = 'w0w'

interface LedgerWalletDeps {
  readonly devices: DevicePort
  readonly clock: Clock
}

/** One device, one operation at a time. Throws SignerError SIGNER_DEVICE_*, each with its reason, and the signal's reason. */
export class LedgerWallet {
  readonly kind = 'ledger'
  readonly #turn = new Mutex()

  constructor(private readonly deps: LedgerWalletDeps) {}

  /** At these paths, in order. Nothing is displayed on the device. */
  addresses(paths: readonly string[], signal: AbortSignal): Promise<readonly LowerAddress[]> {
    return this.#inTurn(ANSWER_MS, signal, (within) =>
      this.#withOne(within, async (app) => {
        const found: LowerAddress[] = []
        for (const path of paths) found.push(await addressAt(app, path))
        return found
      }),
    )
  }

  /** Waits for the user at the device. @returns 65 bytes: r, s (the lower), parity; made by the account's key over the digest */
  async sign(account: HardwareAccount, work: DeviceWork, signal: AbortSignal): Promise<Uint8Array> {
    refuseWhatItCannot(work)
    return this.#inTurn(CONFIRM_MS, signal, (within) =>
      this.#withOne(within, async (app) => {
        await requireKey(app, account)
        return checkedSignature(await answerTo(app, account.path, work), work.digest, account.address)
      }),
    )
  }

  /** The time limit starts once the device is free. */
  #inTurn<T>(limitMs: number, signal: AbortSignal, run: (within: AbortSignal) => Promise<T>): Promise<T> {
    const { clock } = this.deps
    return this.#turn.run(async () => {
      signal.throwIfAborted()
      const over = new AbortController()
      const silent = (): void => over.abort(new SignerError('SIGNER_DEVICE_SILENT', { seconds: limitMs / 1_000 }))
      const timer = clock.setTimeout(silent, limitMs)
      const cancelled = onAbort(signal, () => over.abort(signal.reason))
      try {
        return await run(over.signal)
      } finally {
        timer.dispose()
        cancelled.dispose()
      }
    })
  }

  /** Among several devices, the first that holds the account; the others' errors are reported if none does. */
  async #withOne<T>(within: AbortSignal, run: (app: Eth) => Promise<T>): Promise<T> {
    const plugged = await untilAborted(this.deps.devices.plugged(), within)
    let failure: unknown = new SignerError('SIGNER_DEVICE_ABSENT', undefined)
    for (const device of plugged) {
      try {
        return await this.#withChannel(await openUntil(device, within), within, run)
      } catch (error) {
        if (!isOther(error)) throw error
        failure = error
      }
    }
    throw failure
  }

  /** Opened per operation: other programs need the device too, and it may be a different one next time. */
  async #withChannel<T>(channel: DeviceChannel, within: AbortSignal, run: (app: Eth) => Promise<T>): Promise<T> {
    const closing = onAbort(within, () => void channel.close())
    try {
      return await untilAborted(openApp(channel).then(run), within)
    } finally {
      closing.dispose()
      await channel.close()
    }
  }
}

/** Whether another device may work when this one doesn't. */
function isOther(error: unknown): boolean {
  return error instanceof HeadframeError && error.code === 'SIGNER_DEVICE_OTHER'
}

async function openApp(channel: DeviceChannel): Promise<Eth> {
  const [{ default: App }, { channelTransport }] = await Promise.all([
    import('@ledgerhq/hw-app-eth'),
    import('./channel-transport'),
  ])
  return new App(channelTransport(channel), SCRAMBLE_KEY, NO_SERVERS)
}

async function addressAt(app: Eth, path: string): Promise<LowerAddress> {
  const { address } = await asked(path, app.getAddress(bare(path)))
  if (/^0x[0-9a-fA-F]{40}$/.test(address)) return address.toLowerCase()
  throw new SignerError('SIGNER_DEVICE_ANSWER', { reason: 'it is not an address' })
}

/** Before the user is asked to confirm a signature that another key would make. */
async function requireKey(app: Eth, { address, path }: HardwareAccount): Promise<void> {
  const found = await addressAt(app, path)
  if (found === address) return
  const detail = { path, want: checksumAddress(address), found: checksumAddress(found) }
  throw new SignerError('SIGNER_DEVICE_OTHER', detail)
}

/** The library answers an empty text without asking the device. @throws SignerError SIGNER_DEVICE_CANNOT */
function refuseWhatItCannot(work: DeviceWork): void {
  if (work.kind !== 'text' || work.text.length > 0) return
  throw new SignerError('SIGNER_DEVICE_CANNOT', { what: 'an empty text' })
}

async function answerTo(app: Eth, path: string, work: DeviceWork): Promise<AnsweredSignature> {
  switch (work.kind) {
    case 'transaction':
      return asked(path, app.signTransaction(bare(path), toBareHex(work.payload), null))
    case 'text':
      return asked(path, app.signPersonalMessage(bare(path), toBareHex(work.text)))
    case 'typed':
      return asked(path, signTyped(app, path, work))
  }
}

/** The document itself; by its hashes on devices whose app doesn't support documents. */
async function signTyped(
  app: Eth,
  path: string,
  { document, domainHash, messageHash }: Extract<DeviceWork, { kind: 'typed' }>,
): Promise<AnsweredSignature> {
  try {
    return await app.signEIP712Message(bare(path), plainDocument(document))
  } catch (error) {
    if (statusOf(error) !== UNKNOWN_INSTRUCTION) throw error
    return app.signEIP712HashedMessage(bare(path), toBareHex(domainHash), toBareHex(messageHash))
  }
}

async function asked<T>(path: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof HeadframeError ? error : deviceError(error, path)
  }
}

function bare(path: string): string {
  return path.replace(/^m\//, '')
}

/** A device that opens too late is closed again. */
function openUntil(device: PluggedDevice, within: AbortSignal): Promise<DeviceChannel> {
  const opening = device.open()
  const closeIfLate = (channel: DeviceChannel): void => void (within.aborted && channel.close())
  opening.then(closeIfLate, () => undefined)
  return untilAborted(opening, within)
}
