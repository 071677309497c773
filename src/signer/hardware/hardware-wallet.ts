// What the signer requires of a hardware wallet. One device, one operation at a time; the caller verifies every answer.
import type { LowerAddress } from '../address'
import type { TypedDocument } from '../typed-data/document'

/** An account whose key is in a device, known even while that is unplugged. */
export interface HardwareAccount {
  /** `airgap`: an offline device; requests and signatures are carried by the user. */
  readonly kind: 'ledger' | 'airgap'
  readonly address: LowerAddress
  /** In the spelling of `derivation-path.ts`: m/44'/60'/0'/0/0. */
  readonly path: string
  /** Of the device's master key, 8 hex digits; missing when unknown. */
  readonly fingerprint?: string
}

/** What to sign, in a device's form; `digest` (32 bytes) is what the signature must be over. */
export type DeviceWork = { readonly digest: Uint8Array } & (
  | {
      readonly kind: 'transaction'
      /** Preimage of the digest, including EIP-155 fields or type byte. */
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
      /** Both 32 bytes, for devices that don't support documents. */
      readonly domainHash: Uint8Array
      readonly messageHash: Uint8Array
    }
)

/** A kind of device. Throws SignerError SIGNER_DEVICE_*, each with its reason, and the signal's reason. */
export interface HardwareWallet {
  readonly kind: HardwareAccount['kind']
  /** Addresses at these paths, in order. Nothing is displayed on the device. */
  addresses(paths: readonly string[], signal: AbortSignal): Promise<readonly LowerAddress[]>
  /**
   * Waits for the user at the device.
   * @returns 65 bytes: r, s (the lower), parity; made by the account's key over the digest
   */
  sign(account: HardwareAccount, work: DeviceWork, signal: AbortSignal): Promise<Uint8Array>
}
