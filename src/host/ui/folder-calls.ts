// The calls about the data folder. The next start carries out requests.
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import type { Logger } from '../../base/logger'
import { ENTRIES } from '../../config/catalog'
import { absolutePath } from '../../config/paths'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { FolderCheckView } from '../../contract/program/data-folder'
import { checkFolder } from '../data-folder/check-folder'
import { folderChange } from '../data-folder/folder-records'
import { isBelow } from '../data-folder/folder-tree'
import { HostError } from '../errors'
import type { ConfigSettings } from '../settings/config-settings'
import { confirmed, type UiAccess, uiCalls } from './ui-handlers'

/** Valid for one call, or rewritten at each start. */
const NO_MATTER: readonly string[] = ['app.dataDir', 'app.readyFile']

/** Options that name paths in the data directory. @param textInFile an option's value in the config file */
function namedPaths(config: ResolvedConfig, textInFile: (key: string) => string | null): readonly string[] {
  const sections: Readonly<Record<string, unknown>> = { ...config }
  return ENTRIES.filter((entry) => {
    const { kind = 'default' } = config.sources[entry.key] ?? {}
    if (entry.option.type.isPath !== true || kind === 'default' || NO_MATTER.includes(entry.key)) return false
    const section = sections[entry.section]
    const value = typeof section === 'object' && section !== null ? Reflect.get(section, entry.property) : null
    const isInside = [value].flat().some((path) => typeof path === 'string' && isBelow(config.app.dataDir, path))
    // A relative path in the config file is relative to that file, and moves with it.
    return isInside && (kind !== 'file' || !isRelative(textInFile(entry.key)))
  }).map(({ option }) => `--${option.flag}`)
}

function isRelative(text: string | null): boolean {
  return text !== null && !isAbsolute(text) && !text.startsWith('~')
}

interface FolderCallsDeps {
  readonly config: ResolvedConfig
  /** Null when no config file is read. */
  readonly settings: Pick<ConfigSettings, 'textInFile'> | null
  /** Called when the request changed. */
  readonly onChanged: () => void
  readonly log: Logger
}

export function folderCalls({ config, settings, onChanged, log }: FolderCallsDeps, access: UiAccess) {
  const { dataDir } = config.app
  // With a system dialog, pages may not name folders themselves: accessing one on another computer signs in there.
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
  return uiCalls({
    'app.dataFolder': () => ({
      folder: dataDir,
      canPick: access.pickFolder !== undefined,
      change: folderChange.read(dataDir),
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
        await folderChange.remove(dataDir)
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
      await folderChange.write(dataDir, { to: folder, kind: verdict, failed: '' })
      onChanged()
      log.info('the data folder changes at the next start', { folder, how: verdict })
    },
  })
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
