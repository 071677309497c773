// The config file of a call: our own and, with lower precedence, the node family's when --config names one.
import { ConfigError } from '../errors'
import { defaultDataDir, joinPath, type Surroundings } from '../paths'
import type { Candidate, FileText, ResolveInput } from '../resolved-config'
import { type FamilyFile, isFamilyFile, readFamilyFile } from './family-file'
import { presentFolder } from './moved-folder'
import { parseToml, type TomlValue } from './parse-toml'
import { tomlValue } from './read-values'

/** The files read, and what they say about the data directory. */
interface ConfigFile {
  /** File that settings are written to. */
  readonly path: string
  /** Candidates of the file and of the call, in ascending precedence. */
  readonly candidates: readonly Candidate[]
  readonly notices: readonly string[]
  /** Its current location. */
  readonly dataDir: string
  /** The location named by the call or the platform; differs from `dataDir` when it was moved. */
  readonly namedDataDir: string
  /** False when it is the platform's default. */
  readonly isDataDirNamed: boolean
}

/** Name of our file in a data directory, and its name when the family's file already uses that one. */
const FILE = 'config.toml'
const OTHER_FILE = 'headframe.toml'

/**
 * @param early settings of the command line and the environment @throws ConfigError CONFIG_FILE_*, CONFIG_UNKNOWN_KEY,
 * CONFIG_VALUE_INVALID, CONFIG_OPTION_REFUSED, CONFIG_FOLDER_LOST
 */
export function readConfigFile(input: ResolveInput, early: readonly Candidate[]): ConfigFile {
  const path = lastText(early, 'app.configFile')
  const dataDir = lastText(early, 'app.dataDir')
  const text = path === null ? null : textOf(input, path, true)
  const family = path === null || text === null ? null : readFamilyFile(path, text)
  if (path !== null && text !== null && family === null) {
    const candidates = [...ownCandidates({ path, text }, input.surroundings), ...early]
    const folder = dataDir ?? defaultDataDir(input.surroundings)
    return { path, candidates, notices: [], ...foldersOf(input, folder), isDataDirNamed: dataDir !== null }
  }
  return withFamily(input, early, family)
}

/**
 * The data directory alone, for a command to its program: the files inside may be broken, or another user's.
 * @throws ConfigError CONFIG_FOLDER_LOST; for a family's file, which alone may name it, as `readConfigFile`
 */
export function readDataDir(input: ResolveInput, early: readonly Candidate[]): string {
  const path = lastText(early, 'app.configFile')
  const typed = lastText(early, 'app.dataDir')
  const family = typed !== null || path === null ? null : readFamilyFile(path, textOf(input, path, true))
  const named = typed ?? lastText(belowOf(family, input.surroundings), 'app.dataDir')
  const readFile = (file: string): FileText => {
    const read = input.readFile(file)
    return 'unreadable' in read ? { missing: true } : read
  }
  return foldersOf({ ...input, readFile }, named ?? defaultDataDir(input.surroundings)).dataDir
}

/** As in the family, relative paths of its file are resolved from the working folder. */
function belowOf(family: FamilyFile | null, surroundings: Surroundings): readonly Candidate[] {
  return family?.values.map((found) => candidateOf(found, surroundings.workingDir, surroundings)) ?? []
}

/** The settings form writes to our own file, which therefore takes precedence over the family's. */
function withFamily(input: ResolveInput, early: readonly Candidate[], family: FamilyFile | null): ConfigFile {
  const { surroundings } = input
  const below = belowOf(family, surroundings)
  const named = lastText(early, 'app.dataDir') ?? lastText(below, 'app.dataDir')
  const folders = foldersOf(input, named ?? defaultDataDir(surroundings))
  const { dataDir } = folders
  const { path, text, notices } = ownFile(input, dataDir, family !== null)
  const above = ownCandidates({ path, text }, surroundings)
  const isOverridden = ({ entry }: Candidate): boolean => above.some((candidate) => candidate.entry === entry)
  const ofCall = early.filter(({ entry }) => family === null || entry.key !== 'app.configFile')
  return {
    path,
    candidates: [...below.filter((candidate) => !isOverridden(candidate)), ...above, ...ofCall],
    notices: [...(family?.notices ?? []), ...notices],
    ...folders,
    isDataDirNamed: named !== null,
  }
}

function foldersOf(input: ResolveInput, named: string): Pick<ConfigFile, 'dataDir' | 'namedDataDir'> {
  const { platform } = input.surroundings
  return { dataDir: presentFolder(named, { platform, readFile: input.readFile }), namedDataDir: named }
}

interface OwnFile {
  readonly path: string
  /** Empty when there is none. */
  readonly text: string
}

/** The family's file may be anywhere, even under our file's name. */
function ownFile(input: ResolveInput, dataDir: string, isRead: boolean): OwnFile & { readonly notices: string[] } {
  const at = (name: string): string => joinPath(input.surroundings.platform, dataDir, name)
  const path = at(FILE)
  const text = textOf(input, path, false)
  if (!isFamilyFile(path, text)) return { path, text, notices: [] }
  const other = at(OTHER_FILE)
  const notices = isRead ? [] : [`${path} is a prlx config file and is not read: give --config ${path} to use it`]
  return { path: other, text: textOf(input, other, false), notices }
}

function ownCandidates({ path, text }: OwnFile, surroundings: Surroundings): readonly Candidate[] {
  const folder = /^(.*)[/\\][^/\\]*$/.exec(path)?.[1] ?? surroundings.workingDir
  return parseToml(path, text).map((found) => candidateOf(found, folder, surroundings))
}

function candidateOf(found: TomlValue, folder: string, surroundings: Surroundings): Candidate {
  const value = tomlValue(found, folder, surroundings)
  return { entry: found.entry, value, source: { kind: 'file', name: `${found.file}:${found.line}` } }
}

/** @param isNamed a file named explicitly must exist */
function textOf({ readFile }: ResolveInput, path: string, isNamed: boolean): string {
  const read = readFile(path)
  if ('text' in read) return read.text
  if ('unreadable' in read) {
    const where = isNamed ? '--config' : 'config file'
    throw new ConfigError('CONFIG_FILE_UNREADABLE', { where, file: path, reason: read.unreadable })
  }
  if (isNamed) throw new ConfigError('CONFIG_FILE_MISSING', { file: path })
  return ''
}

function lastText(candidates: readonly Candidate[], key: string): string | null {
  const value = candidates.filter(({ entry }) => entry.key === key).at(-1)?.value
  return typeof value === 'string' ? value : null
}
