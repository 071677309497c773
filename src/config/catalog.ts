// Every option, with the names that each source derives from its record.

import { apiSection } from './options/api'
import { appSection, updateSection } from './options/app'
import { desktopSection } from './options/desktop'
import { gpuSection, minerSection, tuningSection } from './options/miner'
import { alertsSection, moneySection } from './options/money'
import { chainSection, nodeSection, txpoolSection } from './options/node'
import { p2pSection } from './options/p2p'
import { poolSection, rigsSection, stratumSection } from './options/pool'
import { accountsSection, keystoreSection, rpcSection } from './options/rpc'
import { signerSection } from './options/signer'
import type { AnyOption, CommandName, Section, SectionValues } from './schema'

/** In the order of --help. */
const SECTIONS = [
  appSection,
  desktopSection,
  chainSection,
  nodeSection,
  p2pSection,
  rpcSection,
  accountsSection,
  keystoreSection,
  txpoolSection,
  minerSection,
  gpuSection,
  tuningSection,
  moneySection,
  alertsSection,
  poolSection,
  rigsSection,
  stratumSection,
  apiSection,
  updateSection,
  signerSection,
] as const

/** The resolved values, by section. */
export type ConfigValues = { readonly [S in (typeof SECTIONS)[number] as S['name']]: SectionValues<S> }

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
export const CATALOG: readonly CatalogSection[] = SECTIONS.map(catalogSection)

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
