// How this program was installed: its package's marker, and whether it can replace itself.
import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { textOrNull } from '../../files/text-or-null'

/** Packages write one of these into the program's folder; sources have none. */
export const PACKAGE_KINDS = [
  'desktop-archive',
  'server-archive',
  'desktop-deb',
  'server-deb',
  'desktop-rpm',
  'server-rpm',
  'desktop-appimage',
  'windows-archive',
  'windows-setup',
] as const
type PackageKind = (typeof PACKAGE_KINDS)[number]

/** Name of the marker file. */
const KIND_FILE = 'package-kind'

export interface OwnPackage {
  /** The program's folder, absolute. */
  readonly folder: string
  /** Null: sources, or a package updated by another program. */
  readonly kind: PackageKind | null
  /** It is an unpacked archive that this user may replace. */
  readonly isReplaceable: boolean
}

/** @param projectRoot of the platform: the folder itself, or the archive in a desktop program's `resources` */
export function ownPackage(projectRoot: string): OwnPackage {
  const folder = projectRoot.endsWith('app.asar') ? dirname(dirname(projectRoot)) : projectRoot
  const kind = kindOf(folder)
  const isArchive = process.platform === 'linux' && (kind === 'desktop-archive' || kind === 'server-archive')
  return { folder, kind, isReplaceable: isArchive && isWritable(dirname(folder)) && isWritable(folder) }
}

/** The marker in a folder. */
export function kindOf(folder: string): PackageKind | null {
  const text = textOrNull(join(folder, KIND_FILE))?.trim()
  return PACKAGE_KINDS.find((kind) => kind === text) ?? null
}

/** Where a package waits for the next start: beside the program, which looks there before it knows any settings. */
export function waitingFolder(own: OwnPackage): string {
  return `${own.folder}.update`
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
