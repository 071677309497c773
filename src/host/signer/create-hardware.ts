// The signer's accounts in devices, on this computer's USB.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { HardwareKeys } from '../../signer/hardware/hardware-keys'
import { LedgerWallet } from '../../signer/hardware/ledger-wallet'
import { loadHidLibrary, UsbDevices } from '../../signer/hardware/usb-devices'
import type { TradesDeps } from '../trades-deps'

const POLL_MS = 1_000

/** Nothing is loaded and no device is looked for until somebody asks one. */
export function createHardware({ config, clock, logs }: Pick<TradesDeps, 'config' | 'clock' | 'logs'>): HardwareKeys {
  const devices = new UsbDevices({ load: loadHidLibrary, platform: process.platform, randomBytes })
  const options = { file: join(config.signer.configDir, 'hardware.json'), pollMs: POLL_MS }
  const log = logs.logger.child({ module: 'signer' })
  return new HardwareKeys(options, { wallet: new LedgerWallet({ devices, clock }), clock, log })
}
