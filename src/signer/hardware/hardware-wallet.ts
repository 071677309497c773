// Accounts in devices, and what a device signs.
import type { LowerAddress } from '../../base/hex'
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
