// Chooses the network: the one named, the one of a genesis file, or the one recorded in the data directory.
import { z } from 'zod'
import { ConfigError, conflict } from './errors'
import type { Candidate, CustomNetwork, FileText, SourceKind } from './resolved-config'
import { type NetworkName, XHASH_MODES, type XhashMode } from './schema'

/** The data directory's record of its custom network, in `custom/network.json`. */
const customRecordSchema = z.object({
  /** genesis file, JSON text */
  genesis: z.string(),
  networkId: z.number().int().min(1),
  xhashMode: z.enum(XHASH_MODES),
})
export type CustomRecord = z.infer<typeof customRecordSchema>

/** The part of a genesis file that options depend on; the node checks the rest. */
const chainIdSchema = z.object({ config: z.object({ chainId: z.number().int().min(1) }) })

/** The network chosen and, for a custom one, its genesis. */
export interface NetworkChoice {
  readonly network: NetworkName
  /** Null unless `network` is custom. */
  readonly custom: CustomNetwork | null
}

/** What the choice is made from. */
interface NetworkInput {
  /** The winning candidates; null when not given. */
  readonly network: Candidate | null
  readonly genesis: Candidate | null
  readonly networkId: number | null
  readonly xhashMode: XhashMode | null
  /** The data directory's record of its custom network. */
  readonly recordFile: string
  readonly readFile: (path: string) => FileText
}

const RANKS: readonly SourceKind[] = ['default', 'file', 'environment', 'command line']
const CHAIN_IDS = { main: 2110, test: 2111, practice: 1337 } as const

/** Chain id of the choice. */
export function chainIdOf({ network, custom }: NetworkChoice): number {
  return network === 'custom' ? (custom?.chainId ?? 0) : CHAIN_IDS[network]
}

/** @throws ConfigError CONFIG_CONFLICT, CONFIG_FILE_UNREADABLE, CONFIG_GENESIS_INVALID */
export function chooseNetwork(input: NetworkInput): NetworkChoice {
  const named = namedNetwork(input)
  if (named !== null && named !== 'custom') {
    checkKnownNetwork(named, input)
    return { network: named, custom: null }
  }
  const record = storedNetwork(input)
  const given = named === null && input.genesis === null && record === null ? null : genesisOf(input, record)
  if (given === null) {
    checkKnownNetwork('practice', input)
    return { network: 'practice', custom: null }
  }
  const chainId = readChainId(given)
  const networkId = input.networkId ?? record?.networkId ?? chainId
  const xhashMode = input.xhashMode ?? record?.xhashMode ?? 'full'
  return { network: 'custom', custom: { genesis: given.text, file: given.file, chainId, networkId, xhashMode } }
}

/** A genesis file overrides a network named by a lower source, and conflicts with one from the same source. */
function namedNetwork({ network, genesis }: NetworkInput): NetworkName | null {
  const name = network?.value
  if (network === null || (name !== 'practice' && name !== 'main' && name !== 'test' && name !== 'custom')) return null
  if (genesis === null || name === 'custom') return name
  const difference = RANKS.indexOf(network.source.kind) - RANKS.indexOf(genesis.source.kind)
  if (difference !== 0) return difference > 0 ? name : 'custom'
  throw conflict(`${genesis.source.name} and the network ${name} (${network.source.name}) exclude each other: use one`)
}

function checkKnownNetwork(network: Exclude<NetworkName, 'custom'>, { networkId, xhashMode }: NetworkInput): void {
  if (xhashMode !== null) throw onlyCustom('--xhash.mode', network)
  if (networkId !== null && networkId !== CHAIN_IDS[network]) throw onlyCustom('--networkid', network)
}

function onlyCustom(flag: string, network: string): Error {
  const reason = `${flag} belongs to custom networks and the network is ${network}: omit it or add --genesis FILE`
  return conflict(reason)
}

interface GenesisText {
  readonly text: string
  readonly file: string
}

function genesisOf({ genesis, readFile, recordFile }: NetworkInput, record: CustomRecord | null): GenesisText {
  if (genesis !== null) {
    const file = String(genesis.value)
    const where = genesis.source.name
    const read = readFile(file)
    if ('text' in read) return { text: read.text, file }
    const reason = 'missing' in read ? 'no such file' : read.unreadable
    throw new ConfigError('CONFIG_FILE_UNREADABLE', { where, file, reason })
  }
  if (record !== null) return { text: record.genesis, file: recordFile }
  throw conflict('--network custom needs --genesis FILE, or headframe init GENESIS.json before')
}

function storedNetwork({ recordFile, readFile }: NetworkInput): CustomRecord | null {
  const read = readFile(recordFile)
  if ('missing' in read) return null
  const unreadable = (reason: string) =>
    new ConfigError('CONFIG_FILE_UNREADABLE', { where: 'custom network', file: recordFile, reason })
  if ('unreadable' in read) throw unreadable(read.unreadable)
  const parsed = customRecordSchema.safeParse(parseJson(read.text))
  if (parsed.success) return parsed.data
  throw unreadable('it is not what this program wrote: give --genesis FILE again in an empty --datadir')
}

function readChainId({ text, file }: GenesisText): number {
  const invalid = (reason: string) => new ConfigError('CONFIG_GENESIS_INVALID', { file, reason })
  const json = parseJson(text)
  if (json === undefined) throw invalid('it is not JSON')
  const parsed = chainIdSchema.safeParse(json)
  if (!parsed.success) throw invalid('config.chainId: wanted a whole number from 1 to 2^53-1')
  return parsed.data.config.chainId
}

/** Undefined when it isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // JSON has no undefined, so it can signal the failure
  }
}
