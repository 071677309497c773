// The calls about the data folder. The next start carries out requests.
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from '../../base/logger'
import { absolutePath } from '../../config/paths'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { FolderCheckView } from '../../contract/program/data-folder'
import { checkFolder } from '../data-folder/check-folder'
import { readChange, removeChange, writeChange } from '../data-folder/folder-records'
import { isBelow } from '../data-folder/folder-tree'
import { namedPaths } from '../data-folder/named-paths'
import { HostError } from '../errors'
import type { ConfigSettings } from '../settings/config-settings'
import { type CallsOf, confirmed, type UiAccess } from './ui-handlers'

interface FolderCallsDeps {
  readonly config: ResolvedConfig
  /** Null when no config file is read. */
  readonly settings: Pick<ConfigSettings, 'textInFile'> | null
  /** Called when the request changed. */
  readonly onChanged: () => void
  readonly log: Logger
}

type FolderCall = 'app.dataFolder' | 'app.pickFolder' | 'app.checkFolder' | 'app.changeFolder'

export function folderCalls(
  { config, settings, onChanged, log }: FolderCallsDeps,
  access: UiAccess,
): Pick<CallsOf<'app'>, FolderCall> {
  const { dataDir } = config.app
  // Where the user has the system dialog, pages may not name folders themselves: accessing one on another computer
  // signs in there.
  const picked: string[] = []
  const check = async (typed: string): Promise<FolderCheckView> => {
    const wanted = resolve(absoluteOf(typed))
    if (access.pickFolder !== undefined && !picked.some((folder) => isBelow(folder, wanted)))
      throw new HostError('HOST_FOLDER_UNFIT', { folder: wanted, reason: 'it was not chosen in the dialog' })
    const found = await checkFolder(wanted, dataDir)
    picked.push(found.folder)
    const named = found.verdict === 'move' ? namedPaths(config, (key) => settings?.textInFile(key) ?? null) : []
    return named.length === 0 ? found : { ...found, verdict: 'named', detail: named.join(', ') }
  }
  return {
    'app.dataFolder': () => ({
      folder: dataDir,
      canPick: access.pickFolder !== undefined,
      change: readChange(dataDir),
    }),
    'app.pickFolder': async () => {
      const folder = (await access.pickFolder?.(dataDir)) ?? null
      if (folder !== null) picked.push(folder)
      return { folder }
    },
    'app.checkFolder': ({ folder }) => check(folder),
    'app.changeFolder': async ({ folder: wanted }) => {
      if (!access.control) throw new HostError('HOST_FOLDER_UNFIT', { folder: dataDir, reason: 'it is read-only' })
      if (wanted === null) {
        await removeChange(dataDir)
        onChanged()
        log.info('the data folder stays where it is', { folder: dataDir })
        return
      }
      const { folder, verdict, detail } = await check(wanted)
      if (verdict !== 'move' && verdict !== 'use') {
        const reason = detail === '' ? verdict : `${verdict}: ${detail}`
        throw new HostError('HOST_FOLDER_UNFIT', { folder, reason })
      }
      await confirmed(access, { kind: 'setting', name: '--datadir', value: folder })
      await writeChange(dataDir, { to: folder, kind: verdict, failed: '' })
      onChanged()
      log.info('the data folder changes at the next start', { folder, how: verdict })
    },
  }
}

/** @throws HostError HOST_FOLDER_UNFIT for a relative path, or one that no file system can have */
function absoluteOf(typed: string): string {
  const [platform, homeDir] = [process.platform, homedir()]
  const surroundings = { platform, homeDir, environment: {}, workingDir: homeDir }
  const absolute = absolutePath(typed.trim(), '\0', surroundings)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  if (!/[\0-\x1f\x7f]/.test(absolute)) return absolute
  throw new HostError('HOST_FOLDER_UNFIT', { folder: JSON.stringify(typed), reason: 'it is not an absolute path' })
}
