// The data directory: created once, for its owner only.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../base/errors'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { NetworkName } from '../../config/schema'
import { makeOwnerFolder } from '../../native/system/owner-folder'
import { HostError } from '../errors'

export interface DataDirPaths {
  readonly root: string
  readonly logs: string
  readonly lockFile: string
  readonly practiceAccountFile: string
  /** Account names, backup states and watched addresses. */
  readonly accountsFile: string
  /** The signer's callers, and blocks. */
  readonly callersFile: string
  /** Blocks won by pools with their jobs, and the fate of ours. */
  readonly honestyFile: string
  /** Current GPU settings, to restore after a crash. */
  readonly tuningJournal: string
  /** GPU settings by profile and model. */
  readonly tuningProfiles: string
  /** Hashes of the read-only links' tokens. */
  readonly viewLinksFile: string
  /** Lines typed into `headframe attach`. */
  readonly consoleHistory: string
  /** Usual rates of the rigs on the stratum port. */
  readonly servedRates: string
  /** The watched rigs' last day. */
  readonly rigsHistory: string
}

/** Paths inside the data directory. */
export function dataDirPaths(root: string): DataDirPaths {
  return {
    root,
    logs: join(root, 'logs'),
    lockFile: join(root, 'headframe.lock'),
    practiceAccountFile: join(root, 'practice-account.txt'),
    accountsFile: join(root, 'accounts.json'),
    callersFile: join(root, 'callers.json'),
    honestyFile: join(root, 'pool-blocks.json'),
    tuningJournal: join(root, 'tuning-journal.json'),
    tuningProfiles: join(root, 'tuning-profiles.json'),
    viewLinksFile: join(root, 'view-links.json'),
    consoleHistory: join(root, 'console-history'),
    servedRates: join(root, 'served-rigs.json'),
    rigsHistory: join(root, 'rigs-history.bin'),
  }
}

/** What the miner records about one network. */
interface MinerRecords {
  /** What was mined: the ledger of money. */
  readonly money: string
  /** Incidents of the last year. */
  readonly incidents: string
  /** Reports of the last month. */
  readonly reports: string
  /** Samples of the devices for charts. */
  readonly history: string
}

/** Each network has its own records: what was mined on the practice network is no income on the main network. */
export function minerRecords(root: string, network: NetworkName): MinerRecords {
  return {
    money: join(root, `money-${network}.jsonl`),
    incidents: join(root, `incidents-${network}.jsonl`),
    reports: join(root, `reports-${network}.json`),
    history: join(root, `miner-history-${network}.bin`),
  }
}

/**
 * Creates the data directory and its log folder, for the owner only; an existing one keeps its permissions.
 * @param warn gets the reason when others can't be shut out of a new one
 * @throws HostError HOST_DATA_DIR_UNUSABLE
 */
export function prepareDataDir(root: string, warn: (reason: string) => void = () => {}): DataDirPaths {
  const paths = dataDirPaths(root)
  try {
    const exposed = makeOwnerFolder(root)
    if (exposed !== '') warn(exposed)
    if (!statSync(root).isDirectory()) throw new Error('not a directory')
    mkdirSync(paths.logs, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new HostError('HOST_DATA_DIR_UNUSABLE', { dir: root, reason: reasonOf(error) }, { cause: error })
  }
  return paths
}

/** The folder itself, created before anything else starts. */
export function dataDirectory(root: string, log: Logger): Service {
  const warn = (reason: string): void => log.warn('other users may read the data directory', { dir: root, reason })
  return {
    name: 'data-directory',
    start: async () => void prepareDataDir(root, warn),
    stop: async () => undefined,
  }
}
