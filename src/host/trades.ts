// Builds the three trades from the configuration and joins them through their ports. No I/O: starting is the backend's.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { MinerService } from '../miner/miner-service'
import type { RigMonitor } from '../miner/monitor/rig-monitor'
import type { PoolSource } from '../miner/pool/pool-source'
import type { PoolProbe } from '../miner/pool-probe'
import { createXhashEngine, type XhashEngine } from '../native/xhash-engine'
import type { NodeService } from '../node/node-service'
import type { OpenVault } from '../signer/ports'
import { SignerService, type SignerServiceOptions } from '../signer/signer-service'
import type { LocalKeystore } from './adapters/local-keystore'
import { dataDirPaths } from './data-dir'
import { HostError } from './errors'
import { buildMiner, buildProbe, minerSizes } from './miner-setup'
import { buildNodeAccounts } from './node-accounts-setup'
import { buildNode } from './node-setup'
import { type AccountMaker, PracticeSetup } from './practice-setup'
import { buildRigs } from './rigs-setup'
import { ipcSocketPath } from './signer-socket'
import { standardLines } from './standard-lines'
import type { TradesDeps } from './trades-deps'
import { VaultRoom } from './vault-room'
import { openWorker } from './workers/worker-host'

export interface Trades {
  /** The practice network's account and genesis; null on other networks and without a node. */
  readonly practice: PracticeSetup | null
  /** Key files that the node opens by itself; null where a signer holds the accounts. */
  readonly keystore: LocalKeystore | null
  /** Null where neither node nor miner run. */
  readonly engine: XhashEngine | null
  /** Each null when this start does not have it. */
  readonly signer: SignerService | null
  /** The signer's vault. */
  readonly vault: VaultRoom
  readonly node: NodeService | null
  readonly miner: MinerService | null
  /** Null where the miner works for the own node. */
  readonly pools: PoolSource | null
  /** Tries a pool that need not be in the list. */
  readonly probe: PoolProbe
  /** Null where no other rig is watched. */
  readonly rigs: RigMonitor | null
}

/** Which trades there are is the configuration's choice. */
export function buildTrades(deps: TradesDeps): Trades {
  const { trades } = deps.config
  const vault = new VaultRoom(deps, () => signerOf(signer))
  const signer: SignerService | null = trades.signer ? buildSigner(deps, signerHttp(deps), vault.openAtStart) : null
  const engine = trades.miner ? buildEngine(deps) : null
  const practice = trades.node ? buildPractice(deps, signer, engine?.simd ?? 'scalar') : null
  const held = trades.node ? buildNodeAccounts(deps, signer) : null
  const localHashrate = () => miner?.snapshot().hashrate.now ?? 0
  const node = trades.node ? buildNode(deps, practice, localHashrate, held?.accounts ?? null) : null
  const mining = engine === null ? null : buildMiner(deps, engine, node)
  const miner: MinerService | null = mining?.miner ?? null
  const { pools = null } = mining ?? {}
  const fleet = { pools, probe: buildProbe(deps), rigs: buildRigs(deps) }
  return { engine, signer, vault, practice, keystore: held?.keystore ?? null, node, miner, ...fleet }
}

function buildPractice(
  deps: TradesDeps,
  signer: SignerService | null,
  simd: XhashEngine['simd'],
): PracticeSetup | null {
  const { config, logs } = deps
  if (config.app.network !== 'practice') return null
  const log = logs.logger.child({ module: 'host' })
  const maker = signer ?? momentarySigner(deps)
  return new PracticeSetup(dataDirPaths(config.app.dataDir), { maker, simd, log, randomBytes })
}

/** For a start without a signer: one without its API, open for as long as making the first account takes. */
function momentarySigner(deps: TradesDeps): AccountMaker {
  return {
    createAccount: async (password) => {
      const signer = buildSigner(deps, null, null)
      await signer.start(new AbortController().signal)
      try {
        return await signer.createAccount(password)
      } finally {
        await signer.stop()
      }
    },
  }
}

function signerHttp({ config }: TradesDeps): SignerServiceOptions['http'] {
  const { http, httpAddr, httpPort, httpVhosts } = config.signer
  return http ? { host: httpAddr, port: httpPort, vhosts: httpVhosts } : null
}

function signerIpc({ config }: TradesDeps): NonNullable<SignerServiceOptions['ipc']> | null {
  const { ipcDisable, ipcPath, configDir } = config.signer
  if (ipcDisable || config.command === 'account') return null
  return { path: ipcSocketPath(ipcPath, configDir, process.platform), isWindows: process.platform === 'win32' }
}

function buildEngine({ config, platform, logs }: TradesDeps): XhashEngine {
  const log = logs.logger.child({ module: 'xhash' })
  return createXhashEngine(minerSizes(config), {
    searchFrom: platform.projectRoot,
    log: (message) => log.warn(message),
  })
}

function signerOf(signer: SignerService | null): SignerService {
  if (signer === null) throw new HostError('HOST_SERVICE_OFF', { service: 'signer' })
  return signer
}

function buildSigner(deps: TradesDeps, http: SignerServiceOptions['http'], openVault: OpenVault | null): SignerService {
  const { config, platform, clock, logs, metrics } = deps
  const { signer } = config
  const usesLines = signer.stdioUi || signer.stdioUiTest
  const log = logs.logger.child({ module: 'signer' })
  return new SignerService(
    {
      keystore: signer.keystore,
      chainId: signer.chainId,
      london: false,
      lightKdf: signer.lightKdf,
      strict: signer.strict,
      http,
      approvalTimeoutMs: signer.approvalTimeoutSeconds * 1_000,
      auditLog: signer.auditLog === '' ? null : signer.auditLog,
      // A command may run beside a signer; the services of one data directory run once.
      ownsAuditLog: config.command === 'run' || config.command === 'signer' || config.command === 'node',
      ipc: http === null && !usesLines ? null : signerIpc(deps),
      selectors: {
        builtin: signer.selectorsBuiltin,
        customFile: signer.selectorsCustom === '' ? null : signer.selectorsCustom,
      },
      uiSelfTest: signer.stdioUiTest,
    },
    {
      lines: usesLines ? standardLines(platform) : null,
      openVault,
      // A lost key worker fails the calls it had; the signer opens another one at its next.
      keys: () =>
        openWorker({
          name: 'key',
          entry: join(platform.workerDir, 'key-worker.cjs'),
          searchFrom: platform.projectRoot,
          log,
          sink: logs.sink,
          minLevel: config.app.logLevel,
          onLost: (reason) => log.error('key worker was lost', { reason }),
        }),
      clock,
      log,
      metrics,
      randomBytes,
    },
  )
}
