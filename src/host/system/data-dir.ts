// The data directory: created once, for its owner only.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../base/errors'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { NetworkName } from '../../config/schema'
import { makeOwnerFolder } from '../../native/system/owner-folder'
import { HostError } from '../errors'

/** Paths inside the data directory. */
export function dataDirPaths(root: string) {
  return {
    root,
    logs: join(root, 'logs'),
    lockFile: join(root, 'headframe.lock'),
    practiceAccountFile: join(root, 'practice-account.txt'),
    /** Account names, backup states and watched addresses. */
    accountsFile: join(root, 'accounts.json'),
    /** The signer's callers, and blocks. */
    callersFile: join(root, 'callers.json'),
    /** Blocks won by pools with their jobs, and the fate of ours. */
    honestyFile: join(root, 'pool-blocks.json'),
    /** Current GPU settings, to restore after a crash. */
    tuningJournal: join(root, 'tuning-journal.json'),
    /** GPU settings by profile and model. */
    tuningProfiles: join(root, 'tuning-profiles.json'),
    /** Hashes of the read-only links' tokens. */
    viewLinksFile: join(root, 'view-links.json'),
    /** Lines typed into `headframe attach`. */
    consoleHistory: join(root, 'console-history'),
    /** Usual rates of the rigs on the stratum port. */
    servedRates: join(root, 'served-rigs.json'),
    /** The watched rigs' last day. */
    rigsHistory: join(root, 'rigs-history.bin'),
  }
}
export type DataDirPaths = ReturnType<typeof dataDirPaths>

/** Each network has its own records: what was mined on the practice network is no income on the main network. */
export function minerRecords(root: string, network: NetworkName) {
  return {
    /** What was mined: the ledger of money. */
    money: join(root, `money-${network}.jsonl`),
    /** Incidents of the last year. */
    incidents: join(root, `incidents-${network}.jsonl`),
    /** Reports of the last month. */
    reports: join(root, `reports-${network}.json`),
    /** Samples of the devices for charts. */
    history: join(root, `miner-history-${network}.bin`),
  }
}

/** Creates the folders, for their owner only. @param warn why others get in @throws HostError HOST_DATA_DIR_UNUSABLE */
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
