// account_signData and account_signTypedData after parsing: what the user sees, and the signature after an approval.
import { toHex } from '../../base/hex'
import type { SignatureUse } from '../checks/signature-use'
import { referenceMessages } from '../data/sign-data'
import { SignerError } from '../errors'
import type { DeviceWork } from '../hardware/hardware-wallet'
import { dataToSign } from '../keystore/content-digest'
import { bySeverity, type Finding, isCritical } from '../model/findings'
import type { Caller } from '../model/request'
import type { SignableData } from '../model/signable'
import type { SpelledAddress } from '../model/transaction'
import type { TypedDocument } from '../typed-data/document'
import { type SigningDeps, signWithAccount } from './account-key'
import type { NewRequest } from './approval'
import { dataOnDevice, deviceNotice } from './device-notice'
import { dataQuestion } from './questions'

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

const PASSWORD_QUESTION = {
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
  const findings = [...toSign.findings, ...(device === null ? [] : [dataOnDevice(device)])]
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
          question: PASSWORD_QUESTION,
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
