// An option's record, from which the rest follows: value type, command line, file, environment, help, reference, form.

/** The program's commands, and what each does in a few words. */
export const SUMMARIES = {
  run: 'node, miner, signer and dashboard (the default)',
  node: 'the chain node and its JSON-RPC',
  miner: 'mine for a pool (-P), or on a node by getwork',
  signer: 'the signer, or work on its vault',
  init: 'prepare the data directory for a custom network',
  import: 'import blocks from files',
  export: 'write blocks to a file',
  db: 'inspect, verify, compact and repair the database',
  dumpgenesis: 'print the genesis file of the network',
  removedb: 'delete the chain database',
  account: 'create, list, import and change accounts',
  rules: 'attest a rules script; show, set or try policies',
  audit: 'check the audit log',
  devices: 'list the devices that can mine',
  rigs: 'list and control your rigs',
  pool: 'test a pool without mining on it',
  tune: 'show or set power limit, clocks and fans of GPUs',
  bench: 'measure how fast this computer hashes',
  attach: 'open a JavaScript console on a running node',
  link: "print the running program's dashboard link",
  status: 'what the running program does: mining, pool, node, signer',
  stop: 'stop the running program cleanly',
  logs: "print the running program's log (-f: and what follows)",
  requests: 'list, show, approve or deny what waits for a signature',
  send: 'send LAX from an account',
  doctor: 'check what this computer and the program need',
  config: 'show the settings in effect, and their sources',
  dumpconfig: 'print the settings as a config file',
  verify: 'check a downloaded release',
  update: 'check for a newer version and download it',
  completion: 'print completion for bash, zsh or fish',
  version: 'print the version',
  help: "show a command's options, or another program's flags",
}
export type CommandName = keyof typeof SUMMARIES
export const COMMANDS = Object.keys(SUMMARIES) as CommandName[]

export const NETWORKS = ['practice', 'main', 'test', 'custom'] as const
/** A network with a name; `custom` is the one of a genesis file. */
export type NetworkName = (typeof NETWORKS)[number]

/** Networks on which others mine. */
export function isSharedNetwork(network: NetworkName | undefined): boolean {
  return network === 'main' || network === 'test'
}

/** Sizes of cache and dataset on a custom network; `test`: 1024 and 32768 bytes in every epoch. */
export const XHASH_MODES = ['full', 'practice', 'test'] as const
/** Proof-of-work sizes of a custom network. */
export type XhashMode = (typeof XHASH_MODES)[number]

/** Which old states are kept: those of recent blocks, or all. */
export const GC_MODES = ['full', 'archive'] as const

/** How a settings form shows a value. */
export type FormKind = 'switch' | 'number' | 'text' | 'choice' | 'list' | 'file' | 'folder' | 'secret'

/** One kind of value. `parse` and `fromToml` return null for unacceptable input. */
export interface ValueType<T> {
  readonly form: FormKind
  /** What follows the option in --help: `PORT`; empty for a switch. */
  readonly placeholder: string
  /** Completes "VALUE is not ...": `in 1..256`. */
  readonly expected: string
  readonly choices?: readonly string[]
  readonly range?: { readonly min: number; readonly max: number }
  /** A text of it may contain a password: an invalid one is never repeated in a message. */
  readonly isSecret?: boolean
  /** A path: made absolute before it is used. */
  readonly isPath?: boolean
  /** A path for which a bare name means a file in the data directory, as in the node family. */
  readonly bareInDataDir?: boolean
  parse(text: string): T | null
  fromToml(value: unknown): T | null
  /** As it would be typed. */
  format(value: T): string
  /** Merges two values of a repeatable option; others keep the last one. */
  merge?(first: T, second: T): T
}

/** What a default may depend on. */
export interface DefaultContext {
  readonly command: CommandName
  readonly network: NetworkName
  readonly chainId: number
  readonly headless: boolean
  readonly dataDir: string
  /** clef's folders, when a signer runs alone and no data directory is named; else null. */
  readonly familySigner: { readonly keystore: string; readonly configDir: string } | null
  /** Joins with the platform's separator. */
  readonly join: (...parts: readonly string[]) => string
}

/** An alias. With `means` it takes no value and implies that text (`--practice` = `--network practice`). */
interface Alias {
  readonly flag: string
  readonly means?: string
}

/** When a change takes effect: immediately, when its service restarts, when the program restarts. */
export type Applies = 'live' | 'service' | 'process'

/** What an option's record says in any case. @typeParam T its value */
interface OptionBase<T> {
  /** Without the two dashes: `http.port`. */
  readonly flag: string
  readonly short?: string
  readonly aliases?: readonly Alias[]
  readonly type: ValueType<T>
  /** In --help and the reference, when a computed default needs words. */
  readonly defaultText?: string
  readonly unit?: string
  /** One sentence. */
  readonly help: string
  /** Shown as `***` everywhere; its value in the configuration is a `Secret`. */
  readonly secret?: boolean
  /** The risk of setting it carelessly; shown beside it. */
  readonly danger?: string
  /** Only in the environment and on the command line: it locates the file, or applies to one call. */
  readonly notInFile?: boolean
}

/** The record of one option with value type `T` and default type `D`. */
interface OptionSpec<T, D> extends OptionBase<T> {
  readonly default: (context: DefaultContext) => D
  readonly applies: Applies
}

// Uses `unknown` rather than `any`: outside its section an option's value type isn't known.
export type AnyOption = OptionSpec<unknown, unknown>

/** One option, typed by its value type and default. @param spec by default: null, applied when its service restarts */
export function option<T, const D extends T | null = null>(
  spec: OptionBase<T> & Partial<Pick<OptionSpec<T, D>, 'default' | 'applies'>>,
): OptionSpec<T, D> {
  return { applies: 'service', default: () => null as D, ...spec }
}

/** Options by property name. */
type OptionMap = Readonly<Record<string, OptionSpec<never, unknown>>>

/** A group of options with a heading; `name` is the first part of their keys. */
export interface Section<Name extends string = string, Options = OptionMap> {
  readonly name: Name
  /** Heading in --help and the reference. */
  readonly title: string
  /** Commands that accept these options. */
  readonly commands: readonly CommandName[]
  /** Commands in which the section's flag prefix may be omitted: `--signer.http` is `--http` in `headframe signer`. */
  readonly unprefixedIn?: readonly CommandName[]
  readonly options: Options
}

/** Declares one section; an option's key is `section.property`. */
export function section<const Name extends string, Options>(spec: Section<Name, Options>): Section<Name, Options> {
  return spec
}

type ValueOf<O> = O extends OptionSpec<infer T, infer D> ? T | D : never

export type SectionValues<S> =
  S extends Section<string, infer Options> ? { readonly [K in keyof Options]: ValueOf<Options[K]> } : never
