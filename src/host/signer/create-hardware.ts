// The signer's device accounts: on this computer's USB, or offline.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { AirgapRequests } from '../../signer/hardware/airgap-requests'
import { HardwareKeys } from '../../signer/hardware/hardware-keys'
import { LedgerWallet } from '../../signer/hardware/ledger-wallet'
import { loadHidLibrary, UsbDevices } from '../../signer/hardware/usb-devices'
import type { TradesDeps } from '../trades-deps'

const POLL_MS = 1_000

export function airgapFolder(config: TradesDeps['config']): string {
  return join(config.signer.configDir, 'unsigned')
}

/** Nothing is loaded and no device is searched until first used. */
export function createHardware(
  { config, clock, logs }: Pick<TradesDeps, 'config' | 'clock' | 'logs'>,
  { usb }: { readonly usb: boolean },
): HardwareKeys {
  const devices = new UsbDevices({ load: loadHidLibrary, platform: process.platform, randomBytes })
  const options = { file: join(config.signer.configDir, 'hardware.json'), pollMs: POLL_MS, usb }
  const log = logs.logger.child({ module: 'signer' })
  const airgap = new AirgapRequests({ folder: airgapFolder(config), clock, log, randomBytes })
  return new HardwareKeys(options, { wallet: new LedgerWallet({ devices, clock }), airgap, clock, log })
}
