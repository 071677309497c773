// Which program on this computer has the other end of a loopback connection: Linux tells by its process table. A help
// for the person who decides, never a proof: a program can start another one that asks in its place.
import { readdir, readFile, readlink } from 'node:fs/promises'
import type { CallerProcess } from '../requests/request'

const PROC = '/proc'

/**
 * The process that holds the socket whose own address is `remote`; null when it is not of this computer, not visible
 * to this user, or the system is not Linux.
 * @param remote `127.0.0.1:54286` or `[::1]:54286`, the far end of our connection
 */
export async function processOf(remote: string, proc = PROC): Promise<CallerProcess | null> {
  const match = /^(127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:127\.\d+\.\d+\.\d+\]):(\d+)$/.exec(remote)
  if (match === null) return null
  try {
    const inode = await inodeOf(Number(match[2]), proc)
    return inode === null ? null : await holderOf(inode, proc)
  } catch {
    return null
  }
}

/** Inode of the socket bound to the port, on either protocol. */
async function inodeOf(port: number, proc: string): Promise<string | null> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  for (const table of ['tcp', 'tcp6']) {
    const text = await readFile(`${proc}/net/${table}`, 'utf8').catch(() => '')
    for (const row of text.split('\n').slice(1)) {
      const columns = row.trim().split(/\s+/)
      const inode = columns[9]
      if (columns[1]?.endsWith(`:${hex}`) === true && inode !== undefined && inode !== '0') return inode
    }
  }
  return null
}

async function holderOf(inode: string, proc: string): Promise<CallerProcess | null> {
  const wanted = `socket:[${inode}]`
  const pids = (await readdir(proc)).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    const folder = `${proc}/${pid}/fd`
    const names = await readdir(folder).catch(() => [])
    const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
    if (!targets.includes(wanted)) continue
    const name = (await readFile(`${proc}/${pid}/comm`, 'utf8')).trim()
    return { pid: Number(pid), name }
  }
  return null
}
