// The live options, and how each group of them is applied.
import type { Logger } from '../base/logger'
import type { ResolvedConfig } from '../config/resolved-config'
import { temperatureLimits } from '../config/rules/device-rules'
import type { SharedLevel } from './log/shared-level'
import { rpcOptions } from './node/rpc-options'
import type { ConfigSettings } from './settings/config-settings'
import { type LivePart, LiveSettings } from './settings/live-settings'
import type { Trades } from './trades'

interface LivePartsDeps {
  readonly trades: Pick<Trades, 'miner' | 'node' | 'practice' | 'money'>
  readonly level: SharedLevel
  readonly log: Logger
}

/** Applies file changes to the parts of this run. */
export function liveSettings(settings: ConfigSettings, deps: LivePartsDeps): LiveSettings {
  return new LiveSettings(settings, liveParts(deps))
}

/** Those of this run; `applies: 'live'` in the catalog marks the same options. */
export function liveParts({
  trades: { miner, node, practice, money },
  level,
  log,
}: LivePartsDeps): readonly LivePart[] {
  // What builds a trade is read already where there is one, and isn't read where there is none.
  const selection = async (config: ResolvedConfig) => (await import('./miner/create-miner')).deviceChoice(config, log)
  return [
    { keys: ['app.logLevel'], apply: async ({ app }) => level.set(app.logLevel) },
    {
      keys: ['miner.tstop', 'miner.tstart'],
      apply: async (config) => miner?.adjust({ limits: temperatureLimits(config.miner) }),
    },
    { keys: ['miner.schedule'], apply: async (config) => miner?.adjust({ schedule: config.miner.schedule }) },
    {
      keys: ['miner.cpu', 'miner.cpuThreads'],
      apply: async (config) => miner?.adjust({ cpuThreads: threadsOf(config), select: await selection(config) }),
    },
    {
      keys: ['money.laxPrice', 'money.powerPrice', 'money.currency'],
      apply: async (config) => money?.setPrices(config),
    },
    { keys: ['miner.devices'], apply: async (config) => miner?.adjust({ select: await selection(config) }) },
    {
      keys: ['node.mine', 'node.coinbase', 'node.gasLimit', 'node.gasPrice', 'node.recommitMs'],
      apply: async (config) => node?.choose((await import('./node/create-node')).minedWith(config, practice)),
    },
    {
      keys: [
        ...['node.http', 'node.httpAddr', 'node.httpPort', 'node.httpVhosts', 'node.getworkHeight'],
        ...['rpc.httpApi', 'rpc.httpCors', 'rpc.ws', 'rpc.wsAddr', 'rpc.wsPort', 'rpc.wsApi', 'rpc.wsOrigins'],
        ...['rpc.ipcDisable', 'rpc.ipcPath', 'rpc.bodyLimitBytes', 'rpc.batchLimit'],
      ],
      apply: async (config) => node?.listen(rpcOptions(config, (message, fields) => log.warn(message, fields))),
    },
    { keys: ['p2p.maxPeers'], apply: async ({ p2p }) => node?.network()?.setMaxPeers(p2p.maxPeers) },
  ]
}

/** Null: the CPU doesn't mine. */
function threadsOf({ miner }: ResolvedConfig): number | null {
  return miner.cpu ? miner.cpuThreads : null
}
