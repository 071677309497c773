// Builds the signer from the configuration. Read only by runs that have one.
import { randomBytes } from 'node:crypto'
import { basename, isAbsolute, join, resolve } from 'node:path'
import type { NodeService } from '../../node/node-service'
import type { MarketPort } from '../../signer/checks/fee-rules'
import { AirgapRequests } from '../../signer/hardware/airgap-requests'
import { HardwareKeys } from '../../signer/hardware/hardware-keys'
import { LedgerWallet } from '../../signer/hardware/ledger-wallet'
import { loadHidLibrary, UsbDevices } from '../../signer/hardware/usb-devices'
import { SignerService, type SignerServiceDeps, type SignerServiceOptions } from '../../signer/signer-service'
import type { TradesDeps } from '../trades-deps'
import { cpuMsOfThread } from '../workers/thread-time'
import { openTradeWorker } from '../workers/worker-host'
import { auditHead, type KeyConfinement, keyWorkers, ownsAuditLog } from './running-vault'
import { standardLines } from './standard-lines'

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

/** Memory of the check worker: a body of 5 MiB may be 100 MB of small objects. */
const CHECKS_MIB = 512

const NAME = 'clef.ipc'

/**
 * @param given a folder, a socket's path (ends in `.ipc`), a bare name inside `configDir`, or null for the default
 * @param platform Node's name of it; on Windows sockets are named pipes
 */
export function ipcSocketPath(given: string | null, configDir: string, platform: string): string {
  if (platform === 'win32') return given?.startsWith('\\\\.\\pipe\\') === true ? given : `\\\\.\\pipe\\${given ?? NAME}`
  if (given === null) return resolve(configDir, NAME)
  const isFile = given.endsWith('.ipc')
  if (isFile && basename(given) === given) return resolve(configDir, given)
  const path = isAbsolute(given) ? given : resolve(given)
  return isFile ? path : join(path, NAME)
}

/** @param node null when this run has none; looked up per request, since it is built after the signer */
export function feeMarket(node: () => Pick<NodeService, 'head' | 'reader'> | null): MarketPort {
  return async (from) => {
    const running = node()
    if (running === null || running.head() === null) return null
    const [account, gasPrice] = await Promise.all([running.reader.account(from), running.reader.gasPrice()])
    return account === null ? null : { balance: account.balance, gasPrice }
  }
}

/** Where its API listens; null without it. */
export function signerHttp({ config }: TradesDeps): SignerServiceOptions['http'] {
  const { http, httpAddr, httpPort, httpVhosts } = config.signer
  return http ? { host: httpAddr, port: httpPort, vhosts: httpVhosts } : null
}

function signerIpc({ config }: TradesDeps): NonNullable<SignerServiceOptions['ipc']> | null {
  const { ipcDisable, ipcPath, configDir } = config.signer
  if (ipcDisable || config.command === 'account') return null
  return { path: ipcSocketPath(ipcPath, configDir, process.platform) }
}

/** @param http null: without its API */
export function createSigner(
  deps: TradesDeps,
  http: SignerServiceOptions['http'],
  {
    confinement,
    ...ports
  }: Pick<SignerServiceDeps, 'openVault' | 'admits' | 'market' | 'preview'> & { readonly confinement?: KeyConfinement },
): SignerService {
  const { config, platform, clock, logs, metrics } = deps
  const { signer } = config
  const usesLines = signer.stdioUi || signer.stdioUiTest
  const log = logs.logger.child({ module: 'signer' })
  return new SignerService(
    {
      keystore: signer.keystore,
      keyListing: join(signer.configDir, 'key-files.json'),
      chainId: signer.chainId,
      london: false,
      lightKdf: signer.lightKdf,
      strict: signer.strict,
      http,
      approvalTimeoutMs: signer.approvalTimeoutSeconds * 1_000,
      auditLog: signer.auditLog === '' ? null : signer.auditLog,
      auditHead: auditHead(config),
      // A command may run beside a signer; the services of one data directory run once.
      ownsAuditLog: ownsAuditLog(config.command),
      ipc: http === null && !usesLines ? null : signerIpc(deps),
      selectors: {
        builtin: signer.selectorsBuiltin,
        customFile: signer.selectorsCustom === '' ? null : signer.selectorsCustom,
      },
      descriptors: signer.descriptors,
      uiSelfTest: signer.stdioUiTest,
    },
    {
      lines: usesLines ? standardLines(platform) : null,
      hardware: createHardware(deps, { usb: signer.usb }),
      ...ports,
      // A lost key worker fails its calls; the signer starts another one for the next.
      keys: keyWorkers(deps, log, confinement && { confinement }),
      checks: {
        open: () => openTradeWorker(deps, 'checks', { log, minLevel: config.app.logLevel, oldMiB: CHECKS_MIB }),
        cpuMs: cpuMsOfThread,
      },
      clock,
      log,
      metrics,
      randomBytes,
    },
  )
}
