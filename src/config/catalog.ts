// Every option, with the names that each source derives from its record.
import { accountsSection, keystoreSection } from './options/accounts'
import { alertsSection } from './options/alerts'
import { apiSection } from './options/api'
import { appSection } from './options/app'
import { chainSection } from './options/chain'
import { desktopSection } from './options/desktop'
import { gpuSection } from './options/gpu'
import { minerSection } from './options/miner'
import { moneySection } from './options/money'
import { nodeSection } from './options/node'
import { p2pSection } from './options/p2p'
import { poolSection } from './options/pool'
import { rigsSection } from './options/rigs'
import { rpcSection } from './options/rpc'
import { signerSection } from './options/signer'
import { stratumSection } from './options/stratum'
import { tuningSection } from './options/tuning'
import { txpoolSection } from './options/txpool'
import { updateSection } from './options/update'
import type { AnyOption, CommandName, Section, SectionValues } from './schema'

/** The resolved values, by section. */
export interface ConfigValues {
  readonly app: SectionValues<typeof appSection>
  readonly desktop: SectionValues<typeof desktopSection>
  readonly chain: SectionValues<typeof chainSection>
  readonly node: SectionValues<typeof nodeSection>
  readonly p2p: SectionValues<typeof p2pSection>
  readonly rpc: SectionValues<typeof rpcSection>
  readonly accounts: SectionValues<typeof accountsSection>
  readonly keystore: SectionValues<typeof keystoreSection>
  readonly txpool: SectionValues<typeof txpoolSection>
  readonly miner: SectionValues<typeof minerSection>
  readonly gpu: SectionValues<typeof gpuSection>
  readonly tuning: SectionValues<typeof tuningSection>
  readonly money: SectionValues<typeof moneySection>
  readonly alerts: SectionValues<typeof alertsSection>
  readonly signer: SectionValues<typeof signerSection>
  readonly pool: SectionValues<typeof poolSection>
  readonly rigs: SectionValues<typeof rigsSection>
  readonly stratum: SectionValues<typeof stratumSection>
  readonly api: SectionValues<typeof apiSection>
  readonly update: SectionValues<typeof updateSection>
}

/** An option with its derived names. */
export interface CatalogEntry {
  /** `node.httpPort` */
  readonly key: string
  readonly section: string
  /** Name within its section: `httpPort`. */
  readonly property: string
  /** `node.http-port`: key `http-port` of the table `[node]`. */
  readonly tomlKey: string
  /** `HEADFRAME_HTTP_PORT` */
  readonly environmentName: string
  readonly commands: readonly CommandName[]
  /** Commands in which the section's prefix may be omitted from its flags. */
  readonly unprefixedIn: readonly CommandName[]
  readonly option: AnyOption
}

/** A section of the catalog with its options. */
export interface CatalogSection {
  readonly name: string
  readonly title: string
  readonly commands: readonly CommandName[]
  readonly unprefixedIn: readonly CommandName[]
  readonly entries: readonly CatalogEntry[]
}

/** All sections in the order of --help. */
export const CATALOG: readonly CatalogSection[] = [
  catalogSection(appSection),
  catalogSection(desktopSection),
  catalogSection(chainSection),
  catalogSection(nodeSection),
  catalogSection(p2pSection),
  catalogSection(rpcSection),
  catalogSection(accountsSection),
  catalogSection(keystoreSection),
  catalogSection(txpoolSection),
  catalogSection(minerSection),
  catalogSection(gpuSection),
  catalogSection(tuningSection),
  catalogSection(moneySection),
  catalogSection(alertsSection),
  catalogSection(poolSection),
  catalogSection(rigsSection),
  catalogSection(stratumSection),
  catalogSection(apiSection),
  catalogSection(updateSection),
  catalogSection(signerSection),
]

/** All options in the order of --help. */
export const ENTRIES: readonly CatalogEntry[] = CATALOG.flatMap((section) => section.entries)

/** One command line spelling of an option, without dashes. */
export interface FlagName {
  readonly name: string
  readonly entry: CatalogEntry
  /** The value that the bare spelling implies; null for an ordinary spelling. */
  readonly means: string | null
}

/** By command, once each: a start asks for them with every word of its command line. */
const namesKnown = new Map<CommandName | null, readonly FlagName[]>()

/** Every spelling that `command` accepts; null: those of all commands. */
export function flagNames(command: CommandName | null): readonly FlagName[] {
  const names = namesKnown.get(command) ?? namesOf(command)
  namesKnown.set(command, names)
  return names
}

function namesOf(command: CommandName | null): readonly FlagName[] {
  return ENTRIES.filter((entry) => command === null || takes(command, entry)).flatMap((entry) => {
    const { flag, aliases = [] } = entry.option
    const names = [{ name: flag, means: null }, ...aliases.map((a) => ({ name: a.flag, means: a.means ?? null }))]
    const own = names.map((name) => ({ ...name, entry }))
    const isShort = command === null ? entry.unprefixedIn.length > 0 : entry.unprefixedIn.includes(command)
    return isShort ? [...own.map((name) => ({ ...name, name: withoutPrefix(name.name, entry) })), ...own] : own
  })
}

/** Commands that show every option, and so accept every option. */
export const SHOWING: readonly CommandName[] = ['config', 'dumpconfig']

function takes(command: CommandName, entry: CatalogEntry): boolean {
  return SHOWING.includes(command) || entry.commands.includes(command)
}

function withoutPrefix(name: string, entry: CatalogEntry): string {
  return name.startsWith(`${entry.section}.`) ? name.slice(entry.section.length + 1) : name
}

function catalogSection(section: Section<string, object>): CatalogSection {
  const { name, title, commands } = section
  const unprefixedIn = section.unprefixedIn ?? []
  const entries = Object.entries(section.options).map(([property, option]: [string, AnyOption]) => ({
    key: `${name}.${property}`,
    section: name,
    property,
    tomlKey: `${name}.${tomlName(property)}`,
    environmentName: `HEADFRAME_${option.flag.toUpperCase().replace(/[.-]/g, '_')}`,
    commands,
    unprefixedIn,
    option,
  }))
  return { name, title, commands, unprefixedIn, entries }
}

/** `httpPort` -> `http-port`. A time's key has no unit suffix, since its value carries the unit. */
function tomlName(property: string): string {
  return property.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
