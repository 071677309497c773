// The record of one option, and how sections of such records become the type of the resolved configuration.
// The command line, the config file, the environment, --help, the reference page and the settings form are all derived from it.

/** First words of a call. */
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
  'tune',
  'bench',
  'attach',
  'link',
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
export type NetworkName = (typeof NETWORKS)[number]

/** Sizes of cache and dataset on a custom network; `test`: 1024 and 32768 bytes in every epoch. */
export const XHASH_MODES = ['full', 'practice', 'test'] as const
export type XhashMode = (typeof XHASH_MODES)[number]

/** What executes blocks. */
export const ENGINES = ['auto', 'wasm', 'typescript', 'both'] as const

/** What is kept of old states: those of the recent blocks, or all. */
export const GC_MODES = ['full', 'archive'] as const
export type GcMode = (typeof GC_MODES)[number]

/** How a settings form shows a value. */
export type FormKind = 'switch' | 'number' | 'text' | 'choice' | 'list' | 'file' | 'folder' | 'secret'

/** One kind of value. `parse` and `fromToml` give null for what is not acceptable. */
export interface ValueType<T> {
  readonly form: FormKind
  /** What stands behind the option in --help: `PORT`; empty for a switch. */
  readonly placeholder: string
  /** Completes "VALUE is not ...": `in 1..256`. */
  readonly expected: string
  readonly choices?: readonly string[]
  readonly range?: { readonly min: number; readonly max: number }
  /** A repeatable option collects its values; others keep the last one. */
  readonly repeatable?: boolean
  /** A path: made absolute before it is used. */
  readonly isPath?: boolean
  /** A path whose bare name means a file in the data directory, as in the node family. */
  readonly bareInDataDir?: boolean
  parse(text: string): T | null
  fromToml(value: unknown): T | null
  /** As it would be typed. */
  format(value: T): string
  /** Both values of a repeatable option together. */
  merge?(first: T, second: T): T
}

/** What a default may depend on. */
export interface DefaultContext {
  readonly command: CommandName
  readonly network: NetworkName
  readonly chainId: number
  readonly headless: boolean
  readonly dataDir: string
  /** The family's folders, where a signer runs alone and no data directory is named; else null. */
  readonly familySigner: { readonly keystore: string; readonly configDir: string } | null
  /** Joins with the platform's separator. */
  readonly join: (...parts: readonly string[]) => string
}

/** Another spelling. With `means` it takes no value and stands for that text (`--practice` = `--network practice`). */
export interface Alias {
  readonly flag: string
  readonly means?: string
}

/** When a change takes effect: at once, when its service restarts, when the program restarts. */
export type Applies = 'live' | 'service' | 'process'

export interface OptionSpec<T, D> {
  /** Without the two dashes: `http.port`. */
  readonly flag: string
  readonly short?: string
  readonly aliases?: readonly Alias[]
  readonly type: ValueType<T>
  readonly default: (context: DefaultContext) => D
  /** In --help and the reference, where a computed default needs words. */
  readonly defaultText?: string
  readonly unit?: string
  /** One sentence. */
  readonly help: string
  /** Version that brought it. */
  readonly since: string
  readonly applies: Applies
  /** Shown as `***` everywhere; its value in the configuration is a `Secret`. */
  readonly secret?: boolean
  /** What goes wrong when it is set lightly; shown beside it. */
  readonly danger?: string
  /** Only in the environment and on the command line: it says where the file is, or belongs to one call. */
  readonly notInFile?: boolean
}

// The `any` of a variance-free union is avoided: outside its section an option's value is unknown.
export type AnyOption = OptionSpec<unknown, unknown>

/** Declares one option. The configuration's type is that of its values and of its default. */
export function option<T, const D extends T | null>(spec: OptionSpec<T, D>): OptionSpec<T, D> {
  return spec
}

export type OptionMap = Readonly<Record<string, OptionSpec<never, unknown>>>

export interface Section<Name extends string = string, Options = OptionMap> {
  readonly name: Name
  /** Heading in --help and the reference. */
  readonly title: string
  /** Commands that take these options. */
  readonly commands: readonly CommandName[]
  /** In these commands the section's flag prefix may be left out: `--signer.http` is `--http` in `headframe signer`. */
  readonly unprefixedIn?: readonly CommandName[]
  readonly options: Options
}

/** Declares one section; an option's key is `section.property`. */
export function section<const Name extends string, Options>(spec: Section<Name, Options>): Section<Name, Options> {
  return spec
}

type ValueOf<O> = O extends OptionSpec<infer T, infer D> ? T | D : never

/** The resolved values of a section. */
export type SectionValues<S> =
  S extends Section<string, infer Options> ? { readonly [K in keyof Options]: ValueOf<Options[K]> } : never
