// Free space on a folder's disk, and whether that is a network drive, as far as the system reports it.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { systemFreeBytes } from '../../node/store/disk-guard'

const DF_TIMEOUT_MS = 5_000
const KIB = 1024
/** Network file systems. Source: Linux kernel, Documentation/filesystems */
const NETWORK_TYPES =
  /^(?:nfs\d?|cifs|smb\d?|smbfs|afs|9p|ceph|glusterfs|lustre|fuse\.(?:sshfs|rclone|s3fs|glusterfs))$/

/** Free bytes for this user; null when neither Node nor a system program reports it. */
export async function freeBytesOf(folder: string): Promise<number | null> {
  const told = await systemFreeBytes(folder)
  if (told !== null || process.platform === 'win32') return told
  // Old Electron versions lack statfs.
  return new Promise((resolve) => {
    execFile('df', ['-Pk', folder], { timeout: DF_TIMEOUT_MS }, (error, output) => {
      resolve(error === null ? dfFreeBytes(output) : null)
    })
  })
}

/** Parses the output of `df -Pk` for one folder. Source: POSIX.1-2017, df, "STDOUT" */
export function dfFreeBytes(output: string): number | null {
  const [, , , available] = (output.trim().split('\n')[1] ?? '').split(/\s+/)
  return available !== undefined && /^\d+$/.test(available) ? Number(available) * KIB : null
}

/** Null when the system doesn't report it. */
export async function isNetworkDrive(folder: string): Promise<boolean | null> {
  if (process.platform === 'win32') return folder.startsWith('\\\\')
  try {
    return isNetworkMount(await readFile('/proc/self/mounts', 'utf8'), folder)
  } catch {
    return null // only Linux has this list
  }
}

/**
 * @param mounts the system's list, one per line: device, mount point, type, ... with spaces as `\040`. Source: fstab(5)
 */
export function isNetworkMount(mounts: string, folder: string): boolean | null {
  let found: { readonly place: string; readonly type: string } | null = null
  for (const line of mounts.split('\n')) {
    const [, placeText, type] = line.split(' ')
    if (placeText === undefined || type === undefined) continue
    const place = placeText.replace(/\\(\d{3})/g, (_all, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    )
    const isAbove = folder === place || folder.startsWith(place.endsWith('/') ? place : `${place}/`)
    // A later mount at the same place hides the earlier one.
    if (isAbove && place.length >= (found?.place.length ?? 0)) found = { place, type }
  }
  return found === null ? null : NETWORK_TYPES.test(found.type)
}
