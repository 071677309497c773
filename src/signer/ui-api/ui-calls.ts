// What the program on the standard streams may call on the signer. It is the approver itself, so nobody is asked; none
// of these is reachable from the external API.
import { z } from 'zod'
import { wipe } from '../../base/bytes'
import { hasCode } from '../../base/errors'
import { fromHex, toHex } from '../../base/hex'
import { toQuantity } from '../../base/quantity'
import { SignerError } from '../errors'
import type { HardwareKeys } from '../hardware/hardware-keys'
import { importKeyFile, importSecret, onlyFileOf } from '../keystore/account-manager'
import type { AccountMaker, StoredAccount } from '../keystore/create-account'
import { argumentsBetween, requiredAddress } from '../model/arguments'
import { accountObject, accountObjects, deviceObject } from '../requests/request-kinds'
import type { PeerCallHandler } from './line-ui'

const LEDGER_URL = 'ledger://'

interface UiCallsDeps {
  readonly maker: AccountMaker
  readonly hardware: Pick<HardwareKeys, 'accounts' | 'add' | 'probe' | 'usb'> | null
  readonly chainId: () => bigint
  /** Resolves when the change is in the audit log. */
  readonly setChainId: (chainId: bigint) => Promise<void>
  readonly createAccount: () => Promise<StoredAccount>
  readonly imported: (account: StoredAccount) => Promise<void>
}

/** Answers `clef_*`. Errors are SignerError with clef's texts. */
export function uiCalls(deps: UiCallsDeps): PeerCallHandler {
  const table: Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>> = {
    clef_listAccounts: async () => [
      ...accountObjects((await keysOf(deps)).keys, deps.maker.folder.path),
      ...(deps.hardware?.accounts() ?? []).map(deviceObject),
    ],
    clef_listWallets: async () => walletsOf(deps),
    clef_chainId: async () => toQuantity(deps.chainId()),
    clef_setChainId: (params) => setChainId(params, deps),
    clef_new: async () => (await deps.createAccount()).address,
    clef_importRawKey: (params) => importRawKey(params, deps),
    clef_import: (params) => importFile(params, deps),
    clef_export: (params) => exportFile(params, deps),
    clef_openWallet: (params) => openWallet(params, deps),
    clef_deriveAccount: (params) => deriveAccount(params, deps),
  }
  return async (method, params) => {
    const run = Object.hasOwn(table, method) ? table[method] : undefined
    if (run === undefined) throw new SignerError('SIGNER_METHOD_UNKNOWN', { method: method.slice(0, 200) })
    try {
      return await run(params)
    } catch (error) {
      throw inReferenceWords(error)
    }
  }
}

async function keysOf({ maker }: UiCallsDeps) {
  await maker.folder.refresh()
  return maker.folder.content()
}

async function walletsOf(deps: UiCallsDeps): Promise<unknown> {
  const { keys } = await keysOf(deps)
  const ofFiles = keys.map((key) => {
    const account = accountObject(key, deps.maker.folder.path)
    return { url: account.url, status: 'Locked', accounts: [account] }
  })
  if (deps.hardware?.usb !== true) return ofFiles
  const accounts = deps.hardware
    .accounts()
    .filter(({ kind }) => kind === 'ledger')
    .map(deviceObject)
  // Opened for each query, which reveals its current state.
  return [...ofFiles, { url: LEDGER_URL, status: 'Closed', accounts }]
}

/** Reports whether the device is present, unlocked and in its Ethereum app. */
async function openWallet(params: readonly unknown[], deps: UiCallsDeps): Promise<null> {
  argumentsBetween(params, 1, 2)
  await deviceOf(params, deps).probe(NEVER)
  return null
}

async function deriveAccount(params: readonly unknown[], deps: UiCallsDeps): Promise<unknown> {
  argumentsBetween(params, 2, 3)
  return deviceObject(await deviceOf(params, deps).add(textAt(params, 1), NEVER))
}

/** Nobody cancels these: the device's own timeout ends them. */
const NEVER = new AbortController().signal

/** clef's URLs end with the device's USB path, which varies. */
function deviceOf(params: readonly unknown[], { hardware }: UiCallsDeps): NonNullable<UiCallsDeps['hardware']> {
  // With USB disabled no device is known, as in clef.
  const isKnown = textAt(params, 0).startsWith(LEDGER_URL) && hardware?.usb === true
  if (!isKnown) throw new SignerError('SIGNER_UNKNOWN_WALLET', undefined)
  return hardware
}

async function setChainId(params: readonly unknown[], deps: UiCallsDeps): Promise<string> {
  argumentsBetween(params, 1, 1)
  const text = typeof params[0] === 'number' ? String(params[0]) : params[0]
  const isNumber = typeof text === 'string' && /^(?:\d{1,16}|0[xX][0-9a-fA-F]{1,13})$/.test(text)
  const chainId = isNumber ? BigInt(text.toLowerCase()) : 0n
  if (chainId < 1n || chainId > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new SignerError('SIGNER_ARGUMENT_INVALID', { index: 0, reason: 'want a chain id in 1..2^53-1' })
  }
  await deps.setChainId(chainId)
  return toQuantity(chainId)
}

async function importRawKey(params: readonly unknown[], deps: UiCallsDeps): Promise<unknown> {
  argumentsBetween(params, 2, 2)
  const secret = privateKey(textAt(params, 0))
  const password = new TextEncoder().encode(textAt(params, 1))
  try {
    return await stored(await importSecret(deps.maker, secret, password), deps)
  } finally {
    wipe(secret)
    wipe(password)
  }
}

async function importFile(params: readonly unknown[], deps: UiCallsDeps): Promise<unknown> {
  argumentsBetween(params, 3, 3)
  const [given] = params
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? null)
  const old = new TextEncoder().encode(textAt(params, 1))
  const next = new TextEncoder().encode(textAt(params, 2))
  try {
    return await stored(await importKeyFile(deps.maker, text, { old, next }), deps)
  } finally {
    wipe(old)
    wipe(next)
  }
}

async function exportFile(params: readonly unknown[], { maker }: UiCallsDeps): Promise<unknown> {
  argumentsBetween(params, 1, 1)
  const address = toHex(requiredAddress(params, 0).bytes)
  const text = await maker.folder.read(await onlyFileOf(maker.folder, address))
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
}

async function stored(account: StoredAccount, deps: UiCallsDeps): Promise<unknown> {
  await deps.imported(account)
  return accountObject(account, deps.maker.folder.path)
}

function textAt(params: readonly unknown[], index: number): string {
  const value = params[index]
  if (typeof value === 'string') return value
  throw new SignerError('SIGNER_ARGUMENT_INVALID', { index, reason: 'not a string' })
}

function privateKey(text: string): Uint8Array {
  const odd = /[^0-9a-fA-F]/.exec(text)?.[0]
  const fault = (reason: string): Error => new SignerError('SIGNER_PRIVATE_KEY_INVALID', { reason })
  if (odd !== undefined) throw fault(`invalid hex character '${odd}' in private key`)
  const bytes = fromHex(text)
  if (bytes?.length !== 32) throw fault('invalid length, need 256 bits')
  return bytes
}

function inReferenceWords(error: unknown): unknown {
  if (hasCode(error, 'KEYSTORE_WRONG_PASSWORD')) return new SignerError('SIGNER_WRONG_PASSWORD', undefined)
  if (hasCode(error, 'KEYSTORE_ACCOUNT_EXISTS')) return new SignerError('SIGNER_ACCOUNT_EXISTS', undefined)
  if (hasCode(error, 'KEYSTORE_SECRET_INVALID') || hasCode(error, 'KEYSTORE_FILE_INVALID')) {
    return new SignerError('SIGNER_PRIVATE_KEY_INVALID', { reason: error.message })
  }
  return error
}
