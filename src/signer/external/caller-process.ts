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
  const match = /^(?:\[::ffff:)?(127\.\d+\.\d+\.\d+|\[::1)\]?:(\d+)$/.exec(remote)
  if (match === null) return null
  try {
    const inode = await inodeOf(match[1] ?? '', Number(match[2]), proc)
    return inode === null ? null : await holderOf(inode, proc)
  } catch {
    return null
  }
}

/** State of a connection that both ends have. */
const ESTABLISHED = '01'
const IPV6_LOOPBACK = '00000000000000000000000001000000'
/** Before the bytes of an IPv4 address in an IPv6 one. */
const MAPPED = '0000000000000000FFFF0000'

/**
 * Inode of the connected socket with this address; null also when several have it (towards different ports): then it
 * is not known which of them called.
 */
async function inodeOf(host: string, port: number, proc: string): Promise<string | null> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const ipv4 = host.startsWith('127.') ? hexOfIpv4(host) : null
  const addresses = (ipv4 === null ? [IPV6_LOOPBACK] : [ipv4, `${MAPPED}${ipv4}`]).map((name) => `${name}${suffix}`)
  const inodes = new Set<string>()
  for (const table of ['tcp', 'tcp6']) {
    const text = await readFile(`${proc}/net/${table}`, 'utf8').catch(() => '')
    for (const row of text.split('\n').slice(1)) {
      const columns = row.trim().split(/\s+/)
      const inode = columns[9] ?? '0'
      if (addresses.includes(columns[1] ?? '') && columns[3] === ESTABLISHED && inode !== '0') inodes.add(inode)
    }
  }
  const [only] = inodes
  return inodes.size === 1 ? (only ?? null) : null
}

/** As the table writes it: four bytes, the last one first. */
function hexOfIpv4(host: string): string {
  const bytes = host.split('.').map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'))
  return bytes.reverse().join('')
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
    const path = await readlink(`${proc}/${pid}/exe`).catch(() => '') // of another user's program it is not told
    return { pid: Number(pid), name, path }
  }
  return null
}
