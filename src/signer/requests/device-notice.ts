// What the user should know before approving for a device account: that the device asks again, and what its screen can
// show. As observed with Ledger's Ethereum app 1.22 (test/vectors/ledger), which has no name or unit for this chain.
import { toHex } from '../../base/hex'
import { formatDecimal } from '../../base/units'
import type { Finding } from '../model/findings'
import type { DeviceNotice } from '../model/request'
import { payloadOf, type TransactionRequest } from '../model/transaction'
import type { HardwareSigner } from './account-key'

/** Null when it isn't a device account. @param address 20 bytes */
export function deviceNotice(
  hardware: HardwareSigner | null,
  address: Uint8Array,
  isBlind: boolean,
): DeviceNotice | null {
  const account = hardware?.find(toHex(address)) ?? null
  return account === null
    ? null
    : { kind: account.kind, path: account.path, isBlind: isBlind && account.kind === 'ledger' }
}

/** Whether the device can't show what a transaction does: call data, or a new contract. */
export function mustSignBlind(tx: TransactionRequest): boolean {
  return tx.to === null || payloadOf(tx).length > 0
}

/** The Info finding about signing a transaction on the device. */
export function transactionOnDevice(
  { kind, path, isBlind }: DeviceNotice,
  tx: TransactionRequest,
  chainId: bigint,
): Finding {
  if (kind === 'airgap') return carried(path)
  if (isBlind) return blindly(path)
  const amount = `${formatDecimal(tx.value)} ???`
  return {
    severity: 'Info',
    message: `Confirm on the device: Ledger ${path} shows "Amount ${amount}" and "Network ${chainId}", because its app has no unit and no name for this chain`,
  }
}

/** The Info finding about signing data on the device. */
export function dataOnDevice({ kind, path, isBlind }: DeviceNotice): Finding {
  if (kind === 'airgap') return carried(path)
  if (isBlind) return blindly(path)
  return { severity: 'Info', message: `Confirm on the device: Ledger ${path} shows the message` }
}

function carried(path: string): Finding {
  return {
    severity: 'Info',
    message: `The key is in a device that is not connected (${path}): carry the request there, compare what it shows with what is here, and bring the signature back`,
  }
}

function blindly(path: string): Finding {
  return {
    severity: 'WARNING',
    message: `Confirm on the device: Ledger ${path} shows "Blind signing ahead" and not all that is signed, so compare here; "Blind signing" has to be on in its Ethereum app`,
  }
}
