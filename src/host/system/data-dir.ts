// The data directory: made once, for the owner only.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../base/errors'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { makeOwnerFolder } from '../../native/system/owner-folder'
import { HostError } from '../errors'

export interface DataDirPaths {
  readonly root: string
  readonly logs: string
  readonly lockFile: string
  readonly practiceAccountFile: string
  /** Names and backup marks of accounts, watched addresses. */
  readonly accountsFile: string
  /** Who asked the signer, and who is shut out. */
  readonly callersFile: string
  /** What was mined in the last month. */
  readonly earningsFile: string
  /** What became of each day of the last month. */
  readonly reportsFile: string
  /** Blocks that pools won by their own jobs, and what became of ours. */
  readonly honestyFile: string
  /** What is set of which card, to be put back after a crash. */
  readonly tuningJournal: string
  /** Settings of cards by name and model. */
  readonly tuningProfiles: string
  /** Hashes of the links that only look. */
  readonly viewLinksFile: string
  /** Lines typed into `headframe attach`. */
  readonly consoleHistory: string
}

/** Where things lie below the data directory. */
export function dataDirPaths(root: string): DataDirPaths {
  return {
    root,
    logs: join(root, 'logs'),
    lockFile: join(root, 'headframe.lock'),
    practiceAccountFile: join(root, 'practice-account.txt'),
    accountsFile: join(root, 'accounts.json'),
    callersFile: join(root, 'callers.json'),
    earningsFile: join(root, 'earnings.json'),
    reportsFile: join(root, 'reports.json'),
    honestyFile: join(root, 'pool-blocks.json'),
    tuningJournal: join(root, 'tuning-journal.json'),
    tuningProfiles: join(root, 'tuning-profiles.json'),
    viewLinksFile: join(root, 'view-links.json'),
    consoleHistory: join(root, 'console-history'),
  }
}

/**
 * Makes the data directory and its log folder, for the owner only; an existing one keeps who may enter it.
 * @param warn hears why others can't be shut out of a new one
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
    throw new HostError('HOST_DATA_DIR_UNUSABLE', { dir: root, reason: messageOf(error) }, { cause: error })
  }
  return paths
}

/** The folder itself, made before anything else starts. */
export function dataDirectory(root: string, log: Logger): Service {
  const warn = (reason: string): void => log.warn('other users may read the data directory', { dir: root, reason })
  return {
    name: 'data-directory',
    start: async () => void prepareDataDir(root, warn),
    stop: async () => undefined,
  }
}
