// Builds the three trades from the configuration and joins them through their ports. No I/O: starting is the backend's.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { bigintFromBytes } from '../base/bytes'
import { MinerService } from '../miner/miner-service'
import { createXhashEngine, type XhashEngine } from '../native/xhash-engine'
import { NETWORKS } from '../node/networks'
import type { NodeService } from '../node/node-service'
import { SignerService, type SignerServiceOptions } from '../signer/signer-service'
import { NodeWorkSource } from './adapters/node-work-source'
import { dataDirPaths } from './data-dir'
import { buildNode } from './node-setup'
import { type AccountMaker, PracticeSetup } from './practice-setup'
import type { TradesDeps } from './trades-deps'
import { openWorker } from './workers/worker-host'

export interface Trades {
  /** The practice network's account and genesis; null on other networks and without a node. */
  readonly practice: PracticeSetup | null
  /** Null where neither node nor miner run. */
  readonly engine: XhashEngine | null
  /** Each null when this start does not have it. */
  readonly signer: SignerService | null
  readonly node: NodeService | null
  readonly miner: MinerService | null
}

/** Which trades there are is the configuration's choice. */
export function buildTrades(deps: TradesDeps): Trades {
  const { trades } = deps.config
  const signer = trades.signer ? buildSigner(deps, signerHttp(deps)) : null
  const engine = trades.miner ? buildEngine(deps) : null
  const practice = trades.node ? buildPractice(deps, signer, engine?.simd ?? 'scalar') : null
  const node = trades.node ? buildNode(deps, practice, () => miner?.snapshot().hashrate.now ?? 0) : null
  const miner: MinerService | null = node === null || engine === null ? null : buildMiner(deps, engine, node)
  return { engine, signer, practice, node, miner }
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
      const signer = buildSigner(deps, null)
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

function buildEngine({ config, platform, logs }: TradesDeps): XhashEngine {
  const log = logs.logger.child({ module: 'xhash' })
  return createXhashEngine(NETWORKS[config.app.network].xhash, {
    searchFrom: platform.projectRoot,
    log: (message) => log.warn(message),
  })
}

function buildSigner(deps: TradesDeps, http: SignerServiceOptions['http']): SignerService {
  const { config, platform, clock, logs, metrics } = deps
  const { signer } = config
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
      auditLog: signer.auditLog,
    },
    {
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

function buildMiner(deps: TradesDeps, engine: XhashEngine, node: NodeService): MinerService {
  const { config, platform, clock, logs, metrics } = deps
  const { miner, app } = config
  return new MinerService(
    {
      version: platform.version,
      cpuThreads: miner.cpu ? miner.cpuThreads : null,
      historyFile: join(app.dataDir, 'miner-history.bin'),
    },
    {
      source: new NodeWorkSource({ node, clock }),
      engine,
      clock,
      log: logs.logger.child({ module: 'miner' }),
      metrics,
      random: () => bigintFromBytes(randomBytes(8)),
    },
  )
}
