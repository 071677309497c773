// The kinds of requests after parsing: what the user, rules and the line-based UI see, what may be edited, and the work
// after an approval.
import { join } from 'node:path'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import { wipe } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { hasCode, messageOf } from '../../base/errors'
import { type LowerAddress, toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { toQuantity } from '../../base/quantity'
import { formatDecimal } from '../../base/units'
import type { NamedParties } from '../checks/payees'
import type { SignatureUse } from '../checks/signature-use'
import { referenceMessages } from '../data/sign-data'
import { SignerError } from '../errors'
import type { DeviceWork, HardwareAccount } from '../hardware/hardware-wallet'
import { dataToSign } from '../keystore/content-digest'
import { type AccountMaker, createAccount, passwordFault, type StoredAccount } from '../keystore/create-account'
import type { KeyEntry } from '../keystore/folder'
import { bySeverity, type Finding, info, isCritical, refusals, warning } from '../model/findings'
import type { Caller, DecodedCallDetails, DeviceNotice, TransactionDetails, TransactionEdits } from '../model/request'
import type { DisplayEntry, SignableData } from '../model/signable'
import {
  formOf,
  hexAccessList,
  maximumFee,
  payloadOf,
  plainMembers,
  type SpelledAddress,
  type TransactionRequest,
} from '../model/transaction'
import type { InputPort, Question } from '../ports'
import {
  assembleSigned,
  describeSigned,
  type SignedTransactionView,
  signingPayload,
  transactionToSign,
} from '../transactions/encode'
import { parseAnswered } from '../transactions/parse'
import type { TypedDocument } from '../typed-data/document'
import {
  type Approval,
  type HardwareSigner,
  isRefusedApproval,
  type NewRequest,
  type Performed,
  type SigningDeps,
  signWithAccount,
} from './account-key'

/** `ui_approveTx`, as clef sends it; amounts are hex quantities. */
export function transactionQuestion(tx: TransactionRequest, findings: readonly Finding[], caller: Caller): Question {
  const body = { transaction: transactionObject(tx), call_info: callInfo(findings), meta: metaOf(caller) }
  return { method: 'ui_approveTx', body }
}

/** @param caller null where clef reports none */
export function dataQuestion(
  address: SpelledAddress,
  data: SignableData,
  findings: readonly Finding[],
  caller: Caller | null,
): Question {
  return {
    method: 'ui_approveSignData',
    body: {
      content_type: data.contentType,
      address: address.text,
      raw_data: Buffer.from(data.hashed).toString('base64'),
      messages: data.messages.map(messageObject),
      call_info: callInfo(findings),
      hash: toHex(data.hash),
      meta: caller === null ? NO_CALLER : metaOf(caller),
    },
  }
}

export function listingQuestion(accounts: readonly AccountObject[], caller: Caller): Question {
  return { method: 'ui_approveListing', body: { accounts, meta: metaOf(caller) } }
}

function newAccountQuestion(caller: Caller): Question {
  return { method: 'ui_approveNewAccount', body: { meta: metaOf(caller) } }
}

/** Address and URL of an account, as in every method of the UI API. */
interface AccountObject {
  readonly address: string
  readonly url: string
}

export function accountObject(key: KeyEntry, folder: string): AccountObject {
  return { address: key.address, url: `keystore://${join(folder, key.file)}` }
}

/** Accounts with their keystore URL. @param folder absolute path */
export function accountObjects(keys: readonly KeyEntry[], folder: string): readonly AccountObject[] {
  return keys.map((key) => accountObject(key, folder))
}

export function deviceObject({ kind, address, path }: HardwareAccount): AccountObject {
  return { address, url: `${kind}://${path}` }
}

const NO_CALLER = { remote: '', local: '', scheme: '', 'User-Agent': '', Origin: '' }

function metaOf({ transport, remote, local, userAgent, origin }: Caller): Readonly<Record<string, string>> {
  const scheme = transport === 'app' ? 'in-proc' : transport
  return { remote, local, scheme, 'User-Agent': userAgent, Origin: origin }
}

function callInfo(findings: readonly Finding[]): readonly unknown[] | null {
  return findings.length === 0 ? null : findings.map(({ severity, message }) => ({ type: severity, message }))
}

function messageObject({ name, value, type }: DisplayEntry): unknown {
  return { name, value: typeof value === 'string' ? value : value.map(messageObject), type }
}

function transactionObject(tx: TransactionRequest): Readonly<Record<string, unknown>> {
  const number = (value: bigint | null): string | null => (value === null ? null : toQuantity(value))
  return {
    from: tx.from?.text ?? null,
    to: tx.to?.text ?? null,
    gas: toQuantity(tx.gas),
    gasPrice: number(tx.gasPrice),
    maxFeePerGas: number(tx.maxFeePerGas),
    maxPriorityFeePerGas: number(tx.maxPriorityFeePerGas),
    value: toQuantity(tx.value),
    nonce: toQuantity(tx.nonce),
    data: tx.data === null ? null : toHex(tx.data),
    ...(tx.accessList === null ? {} : { accessList: hexAccessList(tx.accessList) }),
    ...(tx.chainId === null ? {} : { chainId: toQuantity(tx.chainId) }),
  }
}

/** Null when it isn't a device account. @param address 20 bytes */
function deviceNotice(hardware: HardwareSigner | null, address: Uint8Array, isBlind: boolean): DeviceNotice | null {
  const { kind, path } = hardware?.find(toHex(address)) ?? {}
  return kind === undefined || path === undefined ? null : { kind, path, isBlind: isBlind && kind === 'ledger' }
}

/**
 * What the user should know before approving for a device account: that the device asks again, and what its screen shows.
 * As observed with Ledger's Ethereum app 1.22 (test/vectors/ledger), which has no name or unit for this chain.
 */
function onDevice({ kind, path, isBlind }: DeviceNotice, plain: Finding): Finding {
  if (kind === 'airgap') {
    return info(
      `The key is in a device that is not connected (${path}): carry the request there, compare what it shows with what is here, and bring the signature back`,
    )
  }
  if (!isBlind) return plain
  return warning(
    `Confirm on the device: Ledger ${path} shows "Blind signing ahead" and not all that is signed, so compare here; "Blind signing" has to be on in its Ethereum app`,
  )
}

interface TransactionSigningDeps extends SigningDeps {
  /** Bound into every signature. */
  readonly chainId: bigint
  /** This run's checks, for an edited transaction. @throws SignerError SIGNER_VALUE_WITHOUT_CODE */
  readonly check: (tx: TransactionRequest) => readonly Finding[]
}

interface SignableTransaction {
  readonly transaction: TransactionRequest
  readonly from: SpelledAddress
  readonly findings: readonly Finding[]
  /** Parts that aren't understood; empty when its whole meaning is known. */
  readonly notUnderstood: readonly string[]
  readonly named: NamedParties
  readonly call: DecodedCallDetails | null
  readonly raw: string
}

const PASSWORD_QUESTION = {
  title: 'Account password',
  prompt: (address: string) => `Please enter the password for account ${address}`,
}

export function signTransactionRequest(
  caller: Caller,
  callerGone: AbortSignal,
  signable: SignableTransaction,
  deps: TransactionSigningDeps,
): NewRequest<SignedTransactionView> {
  const { transaction } = signable
  // It can't show what call data does, or a new contract.
  const isBlind = transaction.to === null || payloadOf(transaction).length > 0
  const device = deviceNotice(deps.hardware, signable.from.bytes, isBlind)
  const amount = `${formatDecimal(transaction.value)} ???`
  const plain = info(
    `Confirm on the device: Ledger ${device?.path} shows "Amount ${amount}" and "Network ${deps.chainId}", because its app has no unit and no name for this chain`,
  )
  const aboutDevice = device === null ? [] : [onDevice(device, plain)]
  const findings = bySeverity([...signable.findings, ...aboutDevice])
  return {
    content: {
      kind: 'signTransaction',
      caller,
      transaction: details(signable, deps.chainId),
      data: null,
      accounts: null,
      findings,
      notUnderstood: signable.notUnderstood,
      ...(device === null ? {} : { device }),
    },
    aside: { named: signable.named, use: null },
    question: {
      ...transactionQuestion(signable.transaction, [...signable.findings, ...aboutDevice], caller),
      chainId: deps.chainId,
      notUnderstood: signable.notUnderstood,
    },
    doneState: 'signed',
    callerGone,
    objection: (approval) => objectionTo(signable, approval, deps),
    recheck: (edits) => bySeverity([...deps.check(applyEdits(signable.transaction, edits)), ...aboutDevice]),
    perform: (approval, signal) => sign(signable, approval, deps, signal),
    summary: ({ tx }) => ({ hash: String(tx.hash) }),
  }
}

/** An edit must be well-formed, and must not add a finding that wasn't displayed. */
function objectionTo(
  { transaction, findings }: SignableTransaction,
  approval: Approval,
  { check }: TransactionSigningDeps,
): string | null {
  if (approval.edits === null) return null
  try {
    const known = new Set(refusals(findings))
    const news = refusals(check(applyEdits(transaction, approval.edits))).filter((text) => !known.has(text))
    return news[0] ?? null
  } catch (error) {
    return messageOf(error)
  }
}

function sign(
  signable: SignableTransaction,
  approval: Approval,
  deps: TransactionSigningDeps,
  signal: AbortSignal,
): Promise<Performed<SignedTransactionView>> {
  const { chainId } = deps
  const { transaction, from } = decided(signable, approval)
  return signWithAccount(
    {
      address: from.bytes,
      question: PASSWORD_QUESTION,
      needsPassword: isCritical(signable.findings) || signable.notUnderstood.length > 0,
      toSign: () => {
        assertChainId(transaction, chainId)
        return transactionToSign(transaction, chainId)
      },
      device: () => {
        assertChainId(transaction, chainId)
        const payload = signingPayload(transaction, chainId)
        return { kind: 'transaction', payload, chainId, digest: keccak_256(payload) }
      },
      result: (signature) => describeSigned(transaction, chainId, assembleSigned(transaction, chainId, signature)),
    },
    approval,
    deps,
    signal,
  )
}

/** @throws SignerError SIGNER_INVALID_CHAIN_ID */
function assertChainId(transaction: TransactionRequest, chainId: bigint): void {
  // Only an answer of the line-based UI can contain another id; the legacy form signs the configured one.
  if (formOf(transaction) !== 'legacy' && (transaction.chainId ?? chainId) !== chainId) {
    throw new SignerError('SIGNER_INVALID_CHAIN_ID', undefined)
  }
}

const NOBODY: SpelledAddress = { text: '', bytes: new Uint8Array(20) }

/** What is finally signed: as requested, with the user's edits, or the line-based UI's whole answer. */
function decided(
  { transaction, from }: SignableTransaction,
  { edits, answered }: Approval,
): { readonly transaction: TransactionRequest; readonly from: SpelledAddress } {
  if (answered !== null) {
    const replacement = parseAnswered(answered.transaction)
    return { transaction: replacement, from: replacement.from ?? NOBODY }
  }
  return { transaction: edits === null ? transaction : applyEdits(transaction, edits), from }
}

function details({ transaction: tx, from, call, raw }: SignableTransaction, chainId: bigint): TransactionDetails {
  const fee = maximumFee(tx)
  return {
    from: from.text,
    to: tx.to?.text ?? null,
    ...plainMembers(tx),
    chainId: Number(chainId),
    form: formOf(tx),
    maximumFee: fee.toString(),
    maximumTotal: (tx.value + fee).toString(),
    call,
    raw,
  }
}

/**
 * Limits, prices and the nonce. Sender, recipient, value and data can't be edited: reject the request and make a new one.
 * @throws SignerError SIGNER_ARGUMENT_INVALID for an invalid or too large number
 */
function applyEdits(tx: TransactionRequest, edits: TransactionEdits): TransactionRequest {
  const dynamic = tx.maxFeePerGas !== null || tx.maxPriorityFeePerGas !== null
  if (dynamic && (edits.gasPrice ?? null) !== null && tx.gasPrice === null) throw fault('gasPrice', 'not of this form')
  if (!dynamic && ((edits.maxFeePerGas ?? null) !== null || (edits.maxPriorityFeePerGas ?? null) !== null)) {
    throw fault('maxFeePerGas', 'not of this form')
  }
  return {
    ...tx,
    gas: edited('gas', edits.gas, 64) ?? tx.gas,
    nonce: edited('nonce', edits.nonce, 64) ?? tx.nonce,
    gasPrice: edited('gasPrice', edits.gasPrice, 256) ?? tx.gasPrice,
    maxFeePerGas: edited('maxFeePerGas', edits.maxFeePerGas, 256) ?? tx.maxFeePerGas,
    maxPriorityFeePerGas: edited('maxPriorityFeePerGas', edits.maxPriorityFeePerGas, 256) ?? tx.maxPriorityFeePerGas,
  }
}

function edited(name: string, text: string | null | undefined, bits: number): bigint | null {
  if (text === null || text === undefined) return null
  if (!/^\d{1,78}$/.test(text)) throw fault(name, 'not a decimal number')
  const value = BigInt(text)
  if (value >= 1n << BigInt(bits)) throw fault(name, `more than ${bits} bits`)
  return value
}

function fault(name: string, reason: string): Error {
  return new SignerError('SIGNER_ARGUMENT_INVALID', { index: 0, reason: `${name}: ${reason}` })
}

interface DataToSign {
  readonly address: SpelledAddress
  readonly data: SignableData
  /** For typed data; null for other forms. */
  readonly document: TypedDocument | null
  readonly findings: readonly Finding[]
  /** Parts that aren't understood; empty when its whole meaning is known. */
  readonly notUnderstood: readonly string[]
  /** How others would use the signature; null when that isn't known. */
  readonly use: SignatureUse | null
  readonly raw: string
  /** False: rules and the line-based UI don't learn the caller. */
  readonly namesCaller: boolean
  /** True: they get clef's display. */
  readonly strict: boolean
}

const DATA_QUESTION = {
  title: 'Password for signing',
  prompt: (address: string) => `Please enter password for signing data with account ${address}`,
}

/** The result is the signature, 65 bytes as `0x` hex, v last. */
export function signDataRequest(
  caller: Caller,
  callerGone: AbortSignal,
  toSign: DataToSign,
  deps: SigningDeps,
): NewRequest<string> {
  const { address, data, raw, namesCaller, notUnderstood, use } = toSign
  const asked = toSign.strict ? { ...data, messages: referenceMessages(data) } : data
  const device = deviceNotice(deps.hardware, address.bytes, data.form === 'typed')
  const findings = [
    ...toSign.findings,
    ...(device === null
      ? []
      : [onDevice(device, info(`Confirm on the device: Ledger ${device.path} shows the message`))]),
  ]
  return {
    content: {
      kind: data.form === 'typed' ? 'signTypedData' : 'signData',
      caller,
      transaction: null,
      data: {
        address: address.text,
        form: data.form,
        contentType: data.contentType,
        hashed: toHex(data.hashed),
        hash: toHex(data.hash),
        text: data.readable,
        messages: data.messages,
        raw,
      },
      accounts: null,
      findings: bySeverity(findings),
      notUnderstood,
      ...(device === null ? {} : { device }),
    },
    aside: { named: null, use },
    question: { ...dataQuestion(address, asked, findings, namesCaller ? caller : null), notUnderstood },
    doneState: 'signed',
    callerGone,
    objection: () => null,
    perform: (approval, signal) =>
      signWithAccount(
        {
          address: address.bytes,
          question: DATA_QUESTION,
          needsPassword: isCritical(findings) || notUnderstood.length > 0,
          toSign: () => dataToSign(data, toSign.document),
          device: () => deviceWork(toSign),
          result: (signature) => toHex(withParity(signature, data.parityOffset)),
        },
        approval,
        deps,
        signal,
      ),
    summary: (signature) => ({ hash: toHex(data.hash), signature }),
  }
}

/** @throws SignerError SIGNER_DEVICE_CANNOT */
function deviceWork({ data, document }: DataToSign): DeviceWork {
  const digest = data.hash
  if (data.text !== null) return { kind: 'text', text: data.text, digest }
  if (document === null) throw new SignerError('SIGNER_DEVICE_CANNOT', { what: data.contentType })
  // After the two bytes of EIP-712's prefix.
  const domainHash = data.hashed.subarray(2, 34)
  return { kind: 'typed', document, domainHash, messageHash: data.hashed.subarray(34), digest }
}

/** @param signature 65 bytes: r, s, parity */
function withParity(signature: Uint8Array, offset: number): Uint8Array {
  const out = Uint8Array.from(signature)
  out[64] = (signature[64] ?? 0) + offset
  return out
}

interface NewAccountDeps {
  readonly maker: AccountMaker
  readonly log: Logger
  /** Shown by the line-based UI; no effect without one. */
  readonly showError: (text: string) => void
}

const ATTEMPTS = 3

/** Approved once, then up to three passwords: in a window the first comes with the approval. */
export function newAccountRequest(
  caller: Caller,
  callerGone: AbortSignal,
  deps: NewAccountDeps,
): NewRequest<StoredAccount> {
  let attempts = 0
  return {
    content: { kind: 'newAccount', caller, transaction: null, data: null, accounts: null, findings: [] },
    question: newAccountQuestion(caller),
    doneState: 'approved',
    callerGone,
    objection: () => null,
    perform: async (approval, signal): Promise<Performed<StoredAccount>> => {
      if (approval.input !== null) {
        return { kind: 'done', result: await createAsking(approval.input, deps, signal) }
      }
      attempts += 1
      const { given } = approval
      const password = given?.kind === 'sealed' ? given : (approval.password ?? new Uint8Array(0))
      try {
        return { kind: 'done', result: await createAccount(deps.maker, password, signal) }
      } catch (error) {
        if (isRefusedApproval(error))
          return { kind: 'retry', reason: error.message, final: error, slow: false, isFree: true }
        if (!hasCode(error, 'SIGNER_PASSWORD_POLICY')) throw error
        const fault = z.object({ reason: z.string() }).parse(error.data).reason
        const reason = attemptText(attempts, fault)
        return { kind: 'retry', reason, final: creationFailed(), slow: false }
      }
    },
    summary: ({ address, file }) => ({ address, file }),
  }
}

/** Asks for the password, up to three times. @throws SignerError SIGNER_ACCOUNT_CREATION_FAILED, as createAccount */
export async function createAsking(
  input: InputPort,
  { maker, log, showError }: NewAccountDeps,
  signal: AbortSignal,
): Promise<StoredAccount> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const password = await ask(input, attempt, log)
    signal.throwIfAborted()
    if (password === null) continue
    try {
      const fault = passwordFault(password)
      if (fault === null) return await createAccount(maker, password, signal)
      showError(attemptText(attempt + 1, fault))
    } finally {
      wipe(password)
    }
  }
  throw creationFailed()
}

/** Null without a valid answer: that only costs the attempt. */
async function ask(input: InputPort, attempt: number, log: Logger): Promise<Uint8Array | null> {
  const prompt = `Please enter a password for the new account to be created (attempt ${attempt} of ${ATTEMPTS})`
  try {
    return await input.ask({ title: 'New account password', prompt, isPassword: true })
  } catch (error) {
    log.warn('password of a new account was not given', { attempt, error: messageOf(error) })
    return null
  }
}

function attemptText(attempt: number, fault: string): string {
  return `Account creation attempt #${attempt} failed due to password requirements: ${fault}`
}

function creationFailed(): InstanceType<typeof SignerError> {
  return new SignerError('SIGNER_ACCOUNT_CREATION_FAILED', undefined)
}

interface OfferedAccounts {
  /** In keystore order; an address with two files appears twice. */
  readonly keys: readonly KeyEntry[]
  readonly folder: string
  readonly devices: readonly HardwareAccount[]
}

/** A window may select only offered addresses; the program on the standard streams may return any. */
export function listingRequest(
  caller: Caller,
  callerGone: AbortSignal,
  { keys, folder, devices }: OfferedAccounts,
): NewRequest<readonly LowerAddress[]> {
  const others = devices.filter(({ address }) => !keys.some((key) => key.address === address))
  const addresses = [...keys, ...others].map(({ address }) => address)
  const known = new Set(addresses)
  return {
    content: {
      kind: 'listing',
      caller,
      transaction: null,
      data: null,
      accounts: addresses.map((address) => ({ address: checksumAddress(address) })),
      findings: [],
    },
    question: listingQuestion([...accountObjects(keys, folder), ...others.map(deviceObject)], caller),
    doneState: 'approved',
    callerGone,
    objection: ({ by, accounts }) => {
      const foreign = by === 'lines' ? undefined : accounts?.find((address) => !known.has(address.toLowerCase()))
      return foreign === undefined ? null : `${foreign} is not among the offered accounts`
    },
    perform: async ({ accounts }) =>
      accounts === null
        ? { kind: 'denied' }
        : { kind: 'done', result: accounts.map((address) => address.toLowerCase()) },
    summary: (shared) => ({ addresses: shared.join(' ') }),
  }
}
