// What the signer asks of a wallet whose keys never leave a device. One device, one question at a time; whatever it answers
// is checked by its user here.
import type { LowerAddress } from '../address'
import type { TypedDocument } from '../typed-data/document'

/** An account whose key is in a device, known also while that is unplugged. */
export interface HardwareAccount {
  /** `airgap`: a device that is never connected; requests and signatures are carried. */
  readonly kind: 'ledger' | 'airgap'
  readonly address: LowerAddress
  /** As `derivation-path.ts` spells it: m/44'/60'/0'/0/0. */
  readonly path: string
  /** Of the device's master key, 8 hex digits; missing where nobody told it. */
  readonly fingerprint?: string
}

/** What is to be signed, in the form that a device takes; `digest` (32 bytes) is what the signature has to be over. */
export type DeviceWork = { readonly digest: Uint8Array } & (
  | {
      readonly kind: 'transaction'
      /** What the digest is the hash of, EIP-155 fields or type byte included. */
      readonly payload: Uint8Array
      readonly chainId: bigint
    }
  | {
      readonly kind: 'text'
      /** Without its prefix. */
      readonly text: Uint8Array
    }
  | {
      readonly kind: 'typed'
      readonly document: TypedDocument
      /** Both 32 bytes, for devices that take no document. */
      readonly domainHash: Uint8Array
      readonly messageHash: Uint8Array
    }
)

/** A kind of device. Throws SignerError SIGNER_DEVICE_*, each with its reason, and the signal's reason. */
export interface HardwareWallet {
  readonly kind: HardwareAccount['kind']
  /** Addresses at these paths, in their order. Nothing shows on the device. */
  addresses(paths: readonly string[], signal: AbortSignal): Promise<readonly LowerAddress[]>
  /**
   * Waits for the person at the device.
   * @returns 65 bytes: r, s (the lower), parity; made by the account's key over the digest
   */
  sign(account: HardwareAccount, work: DeviceWork, signal: AbortSignal): Promise<Uint8Array>
}
