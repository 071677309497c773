// What the rest of the program reads: the resolved configuration, and the types used to make it.
import type { Secret } from '../base/secret'
import type { CatalogEntry, ConfigValues } from './catalog'
import { ConfigError } from './errors'
import type { Surroundings } from './paths'
import type { CommandName, XhashMode } from './schema'
import type { BindAddress, ListenPlace } from './values/network-address'
import type { RigAddress } from './values/rig-address'

/** The kind of source a value came from. */
export type SourceKind = 'command line' | 'environment' | 'file' | 'default'

/** Where a value came from. */
export interface Source {
  readonly kind: SourceKind
  /** The option as typed, the variable's name, `file:line`, or empty for a default. */
  readonly name: string
}

/** The control port's settings, merged from their various spellings. */
export interface ApiConfig {
  /** Null = no listener. `readOnly` = nobody has control, even with a token. */
  readonly bind: BindAddress | null
  /** From --api-token, --api-token-file or the environment. */
  readonly token: Secret | null
  readonly allowControl: boolean
  /** Additional allowed Host names, lower case. */
  readonly hosts: readonly string[]
}

/** The port that serves your node's work to your other rigs. */
export interface StratumConfig {
  /** Null = none. */
  readonly bind: ListenPlace | null
  /** Every rig's password, from --stratum-token, --stratum-token-file or the environment; null = none is needed. */
  readonly token: Secret | null
  /** Networks whose rigs may connect; empty = all. */
  readonly allow: readonly string[]
  /** PEM texts; null = without TLS. */
  readonly tls: { readonly certificate: string; readonly key: Secret } | null
}

/** The pools of `-P`; the miner validates the addresses. */
export interface PoolsConfig {
  /** In failover order, without `exit`. Empty = no pool. */
  readonly addresses: readonly Secret[]
  /** An address with what --pool-user and its neighbors give to pools without their own; other text unchanged. */
  readonly withDefaults: (text: string) => string
  /** The list ends with `exit`. */
  readonly exitAtEnd: boolean
  /** PEM texts of --ssl-cert-file; null = the system's. */
  readonly certificates: string | null
}

/** The other rigs, from --rig and --rig-file. */
export interface RigMonitorConfig {
  /** This instance only monitors. */
  readonly monitor: boolean
  readonly rigs: readonly RigAddress[]
  /** Names of the rigs from `--rig-file`, which can't be changed in the config file. */
  readonly fromFile: readonly string[]
  readonly intervalMs: number
}

/** Which trades a command runs. */
export interface Trades {
  readonly node: boolean
  readonly miner: boolean
  readonly signer: boolean
}

/** The network of `--genesis`, or the one recorded in the data directory. */
export interface CustomNetwork {
  /** JSON text; only its chain id was read here. */
  readonly genesis: string
  /** For error messages. */
  readonly file: string
  readonly chainId: number
  readonly networkId: number
  readonly xhashMode: XhashMode
}

/** Deeply frozen. */
export interface ResolvedConfig extends Omit<ConfigValues, 'api' | 'stratum'> {
  readonly command: CommandName
  /** The data directory named by the call or the platform; `app.dataDir` differs when it was moved. */
  readonly namedDataDir: string
  readonly trades: Trades
  /** Null on the other networks. */
  readonly custom: CustomNetwork | null
  readonly api: ApiConfig
  readonly stratum: StratumConfig
  readonly pools: PoolsConfig
  readonly rigMonitor: RigMonitorConfig
  /** By key (`node.httpPort`). */
  readonly sources: Readonly<Record<string, Source>>
  /** Notices for the user: what was accepted without effect, what is valid but unwise. */
  readonly notices: readonly string[]
}

/** The outcome of reading a file. */
export type FileText = { readonly text: string } | { readonly missing: true } | { readonly unreadable: string }

/** A named file, which must be there. @param where what named it @throws ConfigError CONFIG_FILE_UNREADABLE */
export function textOf(where: string, file: string, readFile: (path: string) => FileText): string {
  const read = readFile(file)
  if ('text' in read) return read.text
  const reason = 'missing' in read ? 'no such file' : read.unreadable
  throw new ConfigError('CONFIG_FILE_UNREADABLE', { where, file, reason })
}

/** What a configuration is resolved from. */
export interface ResolveInput {
  /** The arguments after `headframe`. */
  readonly argv: readonly string[]
  readonly surroundings: Surroundings
  /** Reads a whole UTF-8 file. Used for the config file and the token file only. */
  readonly readFile: (path: string) => FileText
  /** True when no window can be shown: the plain Node entry point. */
  readonly windowless: boolean
}

/** A value with its source, before precedence is applied. */
export interface Candidate {
  readonly entry: CatalogEntry
  readonly source: Source
  readonly value: unknown
}
