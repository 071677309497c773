// The record of one option, and how sections of such records determine the type of the resolved configuration. The
// command line, the config file, the environment, --help, the reference page and the settings form all derive from it.

/** The program's commands. */
export const COMMANDS = [
  'run',
  'node',
  'miner',
  'signer',
  'init',
  'import',
  'export',
  'db',
  'dumpgenesis',
  'removedb',
  'account',
  'rules',
  'audit',
  'devices',
  'rigs',
  'pool',
  'tune',
  'bench',
  'attach',
  'link',
  'status',
  'stop',
  'logs',
  'requests',
  'send',
  'doctor',
  'config',
  'dumpconfig',
  'verify',
  'update',
  'completion',
  'version',
  'help',
] as const
export type CommandName = (typeof COMMANDS)[number]

export const NETWORKS = ['practice', 'main', 'test', 'custom'] as const
/** A network with a name; `custom` is the one of a genesis file. */
export type NetworkName = (typeof NETWORKS)[number]

/** Sizes of cache and dataset on a custom network; `test`: 1024 and 32768 bytes in every epoch. */
export const XHASH_MODES = ['full', 'practice', 'test'] as const
/** Proof-of-work sizes of a custom network. */
export type XhashMode = (typeof XHASH_MODES)[number]

/** The block execution engine. */

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
  /** A repeatable option accumulates its values; others keep the last one. */
  readonly repeatable?: boolean
  /** A path: made absolute before it is used. */
  readonly isPath?: boolean
  /** A path for which a bare name means a file in the data directory, as in the node family. */
  readonly bareInDataDir?: boolean
  parse(text: string): T | null
  fromToml(value: unknown): T | null
  /** As it would be typed. */
  format(value: T): string
  /** Merges two values of a repeatable option. */
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

/** The record of one option with value type `T` and default type `D`. */
interface OptionSpec<T, D> {
  /** Without the two dashes: `http.port`. */
  readonly flag: string
  readonly short?: string
  readonly aliases?: readonly Alias[]
  readonly type: ValueType<T>
  readonly default: (context: DefaultContext) => D
  /** In --help and the reference, when a computed default needs words. */
  readonly defaultText?: string
  readonly unit?: string
  /** One sentence. */
  readonly help: string
  /** The version that introduced it. */
  readonly since: string
  readonly applies: Applies
  /** Shown as `***` everywhere; its value in the configuration is a `Secret`. */
  readonly secret?: boolean
  /** The risk of setting it carelessly; shown beside it. */
  readonly danger?: string
  /** Only in the environment and on the command line: it locates the file, or applies to one call. */
  readonly notInFile?: boolean
}

// Uses `unknown` rather than `any`: outside its section an option's value type isn't known.
export type AnyOption = OptionSpec<unknown, unknown>

/** Declares one option. The configuration's type follows from its value type and its default. */
export function option<T, const D extends T | null>(spec: OptionSpec<T, D>): OptionSpec<T, D> {
  return spec
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
