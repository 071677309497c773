// What the user should know before approving for a device account: that the device asks again, and what its screen can
// show. As observed with Ledger's Ethereum app 1.22 (test/vectors/ledger), which has no name or unit for this chain.
import { toHex } from '../../base/hex'
import { formatDecimal } from '../../base/units'
import { type Finding, info, warning } from '../model/findings'
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

/** The finding about signing a transaction on the device. */
export function transactionOnDevice(device: DeviceNotice, tx: TransactionRequest, chainId: bigint): Finding {
  const amount = `"Amount ${formatDecimal(tx.value)} ???" and "Network ${chainId}"`
  return onDevice(device, `${amount}, because its app has no unit and no name for this chain`)
}

/** The finding about signing data on the device. */
export function dataOnDevice(device: DeviceNotice): Finding {
  return onDevice(device, 'the message')
}

function onDevice({ kind, path, isBlind }: DeviceNotice, shown: string): Finding {
  if (kind === 'airgap') {
    const what = 'carry the request there, compare what it shows with what is here, and bring the signature back'
    return info(`The key is in a device that is not connected (${path}): ${what}`)
  }
  if (!isBlind) return info(`Confirm on the device: Ledger ${path} shows ${shown}`)
  const what = 'not all that is signed, so compare here; "Blind signing" has to be on in its Ethereum app'
  return warning(`Confirm on the device: Ledger ${path} shows "Blind signing ahead" and ${what}`)
}
