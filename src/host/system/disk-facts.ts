// Whether a folder's disk is a network drive, as far as the system reports it.
import { readFile } from 'node:fs/promises'

/** Network file systems. Source: Linux kernel, Documentation/filesystems */
const NETWORK_TYPES =
  /^(?:nfs\d?|cifs|smb\d?|smbfs|afs|9p|ceph|glusterfs|lustre|fuse\.(?:sshfs|rclone|s3fs|glusterfs))$/

/** Null when the system doesn't report it. */
export async function isNetworkDrive(folder: string): Promise<boolean | null> {
  if (process.platform === 'win32') return folder.startsWith('\\\\')
  try {
    return isNetworkMount(await readFile('/proc/self/mounts', 'utf8'), folder)
  } catch {
    return null // only Linux has this list
  }
}

/** @param mounts the system's, one per line: device, mount point, type, ...; a space is `\040`. Source: fstab(5) */
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
