// What the rest of the program reads: the resolved configuration, and the words its making uses.
import type { Secret } from '../base/secret'
import type { CatalogEntry, ConfigValues } from './catalog'
import type { Surroundings } from './paths'
import type { CommandName, XhashMode } from './schema'
import type { BindAddress } from './values/network-address'
import type { RigAddress } from './values/rig-address'

export type SourceKind = 'command line' | 'environment' | 'file' | 'default'

export interface Source {
  readonly kind: SourceKind
  /** The option as typed, the variable's name, `file:line`, or empty for a default. */
  readonly name: string
}

/** What the control port needs, after its spellings were brought together. */
export interface ApiConfig {
  /** Null = no listener. `readOnly` = nobody may control, not even with a token. */
  readonly bind: BindAddress | null
  /** From --api-token, --api-token-file or the environment. */
  readonly token: Secret | null
  readonly allowControl: boolean
  /** Further accepted Host names, lower case. */
  readonly hosts: readonly string[]
}

/** The pools of `-P`, their words checked by the miner. */
export interface PoolsConfig {
  /** In order of failover; `exit` left out. Empty = no pool. */
  readonly addresses: readonly Secret[]
  /** The list ends with `exit`. */
  readonly exitAtEnd: boolean
  /** PEM texts of --ssl-cert-file; null = the system's. */
  readonly certificates: string | null
}

/** The other rigs, from --rig and --rig-file. */
export interface FleetConfig {
  /** This instance only watches. */
  readonly monitor: boolean
  readonly rigs: readonly RigAddress[]
  /** Names of those that stand in `--rig-file`, and so cannot be changed in the config file. */
  readonly fromFile: readonly string[]
  readonly intervalMs: number
}

/** Which trades a command runs. */
export interface Trades {
  readonly node: boolean
  readonly miner: boolean
  readonly signer: boolean
}

/** The network of `--genesis`, or the one that the data directory remembers. */
export interface CustomNetwork {
  /** JSON text; only its chain id was looked at here. */
  readonly genesis: string
  /** Named in errors. */
  readonly file: string
  readonly chainId: number
  readonly networkId: number
  readonly xhashMode: XhashMode
}

/** Frozen to the bottom. */
export interface ResolvedConfig extends Omit<ConfigValues, 'api'> {
  readonly command: CommandName
  /** The data directory that the call or the platform names; `app.dataDir` is another one where it was moved. */
  readonly namedDataDir: string
  readonly trades: Trades
  /** Null on the other networks. */
  readonly custom: CustomNetwork | null
  readonly api: ApiConfig
  readonly pools: PoolsConfig
  readonly fleet: FleetConfig
  /** By key (`node.httpPort`). */
  readonly sources: Readonly<Record<string, Source>>
  /** Lines for the user: what was accepted without effect, what is legal but unwise. */
  readonly notices: readonly string[]
}

/** What reading a file came to. */
export type FileText = { readonly text: string } | { readonly missing: true } | { readonly unreadable: string }

export interface ResolveInput {
  /** What stands behind `headframe`. */
  readonly argv: readonly string[]
  readonly surroundings: Surroundings
  /** Reads a whole UTF-8 file. Called for the config file and the token file only. */
  readonly readFile: (path: string) => FileText
  /** True when no window can be shown: a plain Node front door. */
  readonly windowless: boolean
}

/** A value with its source, not yet chosen. */
export interface Candidate {
  readonly entry: CatalogEntry
  readonly source: Source
  readonly value: unknown
}
