// Before a start: carries out a data directory change requested in the window, or completes what an earlier start
// began. Nothing of the program is open yet, and the folder's lock is held.
import { basename, join, relative } from 'node:path'
import { messageOf } from '../../base/errors'
import type { ResolvedConfig } from '../../config/resolved-config'
import { headFileOf } from '../../signer/audit/audit-head'
import { dataDirPaths } from '../system/data-dir'
import { DataDirLock } from '../system/lock'
import { checkFolder } from './check-folder'
import { type FolderChange, folderChange, identityOf, movedFrom, movedTo } from './folder-records'
import { isBelow } from './folder-tree'
import { finishMove, moveFolder } from './move-folder'

export interface ChangeDeps {
  /** Reads the configuration again. @throws ConfigError */
  readonly load: () => ResolvedConfig
  /** One line for the user who started the program. */
  readonly say: (line: string) => void
  /** Called with a share in 0..1 while a move copies. */
  readonly onShare?: (share: number) => void
  /** Called before each step of a move that a later start would see. */
  readonly onStep?: (step: string) => void
  readonly signal: AbortSignal
}

export interface Settled {
  /** The effective configuration. */
  readonly config: ResolvedConfig
  /** The folder differs from that of the previous start. */
  readonly isElsewhere: boolean
  /** Returns to the previous folder when another one was switched to and doesn't start; null = there is none. */
  readonly undo: (() => Promise<void>) | null
}

/** What prevents the use of a folder, one phrase each. */
const OBSTACLES = {
  same: 'it is the data folder already',
  inside: 'it lies in the data folder',
  foreign: 'it is not empty',
  notFolder: 'it is no folder, or its path leads through a file',
  unwritable: 'it cannot be written',
  noRoom: 'its disk has too little room',
  busy: 'another Headframe runs there',
  unmovable: 'the data folder cannot be moved',
} as const

/** True when a start has to move files first, which may take minutes. */
export function isMoveWaiting({ app }: ResolvedConfig): boolean {
  const change = folderChange.read(app.dataDir)
  return movedFrom.read(app.dataDir) !== null || (change?.failed === '' && change.kind === 'move')
}

function isChangeWaiting(config: ResolvedConfig): boolean {
  return isMoveWaiting(config) || folderChange.read(config.app.dataDir)?.failed === ''
}

/**
 * A failed change is recorded with its reason, and the start continues with the current folder.
 * @throws HostError HOST_DATA_DIR_IN_USE, and the signal's reason; the change then stays pending
 */
export async function settleDataFolder(config: ResolvedConfig, deps: ChangeDeps): Promise<Settled> {
  if (!isChangeWaiting(config)) return { config, isElsewhere: false, undo: null }
  const { dataDir } = config.app
  const lock = new DataDirLock({ dir: dataDir, file: dataDirPaths(dataDir).lockFile, pid: process.pid })
  await lock.start()
  try {
    await finishEarlier(config, deps)
    const change = folderChange.read(dataDir)
    if (change === null || change.failed !== '') return { config, isElsewhere: false, undo: null }
    try {
      return await make(change, config, deps)
    } catch (error) {
      deps.signal.throwIfAborted()
      await note(change, error, config, deps)
      return { config, isElsewhere: false, undo: null }
    }
  } finally {
    await lock.stop()
  }
}

/** This folder is a complete copy of another one that still has its files. */
async function finishEarlier({ app, namedDataDir: named }: ResolvedConfig, deps: ChangeDeps): Promise<void> {
  const record = movedFrom.read(app.dataDir)
  if (record === null) return
  sayStayed(await finishMove({ from: record.from, to: app.dataDir, named }, record.id, deps), record.from, deps)
}

async function make(change: FolderChange, config: ResolvedConfig, deps: ChangeDeps): Promise<Settled> {
  const { dataDir: from } = config.app
  const { folder: to, verdict, detail } = await checkFolder(change.to, from)
  const isBegun = movedFrom.read(to)?.from === from
  if (verdict !== change.kind && !(isBegun && change.kind === 'move')) throw new Error(obstacle(verdict, detail))
  if (change.kind === 'use') return use(to, config, deps)
  deps.say(`moving the data folder from ${from} to ${to}`)
  const { namedDataDir: named } = config
  const alsoCopied = auditHeads(config, to)
  const onProgress = sharesOf(deps)
  sayStayed(await moveFolder({ from, to, named, alsoCopied }, { ...deps, onProgress }), from, deps)
  deps.say(`the data folder is ${to} from now on`)
  return { config: deps.load(), isElsewhere: true, undo: null }
}

/** Switches to an existing data directory; the previous one is unchanged. */
async function use(to: string, config: ResolvedConfig, deps: ChangeDeps): Promise<Settled> {
  const { namedDataDir: named, app } = config
  const before = movedTo.read(named)
  const goBack = async (): Promise<void> => {
    if (before === null) await movedTo.remove(named)
    else await movedTo.write(named, { to: before.to, id: before.id })
  }
  const id = await identityOf(to)
  await folderChange.remove(app.dataDir) // otherwise it would be repeated when this folder is chosen again
  await movedTo.remove(to)
  if (named !== to) await movedTo.write(named, { to, id })
  try {
    const next = deps.load()
    deps.say(`the data folder is ${to} from now on`)
    const undo = async (): Promise<void> => {
      await goBack()
      await note({ to, kind: 'use', failed: '' }, new Error('the program does not start with it'), config, deps)
    }
    return { config: next, isElsewhere: true, undo }
  } catch (error) {
    await goBack()
    throw error
  }
}

async function note(change: FolderChange, error: unknown, { app }: ResolvedConfig, { say }: ChangeDeps): Promise<void> {
  const failed = messageOf(error)
  say(`the data folder stays ${app.dataDir}: ${failed}`)
  try {
    await folderChange.write(app.dataDir, { ...change, failed })
  } catch (refused) {
    say(`that is not noted down: ${messageOf(refused)}`)
    await folderChange.remove(app.dataDir) // otherwise every start would retry it
  }
}

function obstacle(verdict: keyof typeof OBSTACLES | 'move' | 'use', detail: string): string {
  const known =
    verdict === 'move' || verdict === 'use' ? 'it has become another one since it was chosen' : OBSTACLES[verdict]
  return detail === '' ? known : `${known}: ${detail}`
}

function sayStayed(stayed: readonly string[], from: string, { say }: ChangeDeps): void {
  if (stayed.length > 0) say(`left in ${from}: ${stayed.slice(0, 10).join(', ')}`)
}

/** The audit log's head is in a file named after the log's path. */
function auditHeads({ app, signer }: ResolvedConfig, to: string): ReadonlyMap<string, string> {
  const moved = (path: string): string => (isBelow(app.dataDir, path) ? join(to, relative(app.dataDir, path)) : path)
  const old = headFileOf(signer.configDir, signer.auditLog)
  const next = headFileOf(moved(signer.configDir), moved(signer.auditLog))
  return basename(old) === basename(next) ? new Map() : new Map([[old, next]])
}

/** Reports each percent once. */
function sharesOf({ onShare }: ChangeDeps): (progress: { doneBytes: number; totalBytes: number }) => void {
  let last = -1
  return ({ doneBytes, totalBytes }) => {
    const percent = totalBytes === 0 ? 100 : Math.floor((100 * doneBytes) / totalBytes)
    if (percent === last) return
    last = percent
    onShare?.(percent / 100)
  }
}
