// Which local program has a loopback connection's other end (Linux): a hint, never a proof, as programs start others.
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { plainAddress } from '../base/ip-address'
import { textOrHex } from '../base/language/readable-text'

/** A local program that connected to us. */
export interface CallerProcess {
  readonly pid: number
  /** Its short name, as the system reports it. */
  readonly name: string
  /** Path of its program file; empty or missing where this user can't see it. */
  readonly path?: string
}

/** One end of a TCP connection. */
interface SocketEnd {
  /** IP literal without brackets. */
  readonly host: string
  readonly port: number
}

/** A connection as seen by the program at its `near` end. */
interface LocalConnection {
  readonly near: SocketEnd
  readonly far: SocketEnd
}

const PROC = '/proc'

/** State of an established connection. */
const ESTABLISHED = '01'
/** Precedes the bytes of an IPv4 address in an IPv6 one. */
const MAPPED = '0000000000000000FFFF0000'

/** A row of the connection tables. */
interface Row {
  /** `0100007F:C350` */
  readonly local: string
  readonly remote: string
  readonly state: string
  readonly uid: string
  /** `0`: no program owns it anymore. */
  readonly inode: string
}

/**
 * The socket with this address that is connected to `nearPort` (null: any); none also when several are, as one
 * port can be used for connections to several others: then the caller is ambiguous.
 */
function onlyRow(end: SocketEnd, nearPort: number | null, rows: readonly Row[]): Row | undefined {
  const names = namesOf(end)
  const near = nearPort === null ? '' : portText(nearPort)
  const found = rows.filter(
    ({ local, remote, state, inode }) =>
      names.includes(local) && remote.endsWith(near) && state === ESTABLISHED && inode !== '0',
  )
  return found.every(({ inode }) => inode === found[0]?.inode) ? found[0] : undefined
}

/** An address in the tables' notation: IPv4 also in its IPv6 form. */
function namesOf({ host, port }: SocketEnd): readonly string[] {
  const suffix = portText(port)
  const plain = plainAddress(host)
  if (plain === '::1') return [`${IPV6_LOOPBACK}${suffix}`]
  return [`${hexOfIpv4(plain)}${suffix}`, `${MAPPED}${hexOfIpv4(plain)}${suffix}`]
}

function portText(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`
}

const IPV6_LOOPBACK = '00000000000000000000000001000000'

/** In the table's notation: four bytes in reverse order. */
function hexOfIpv4(host: string): string {
  const bytes = host.split('.').map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'))
  return bytes.reverse().join('')
}

/** @param folder of the process in the process table @throws when it has ended */
async function processIn(folder: string): Promise<CallerProcess> {
  const name = await readFile(`${folder}/comm`)
  const path = await readlink(`${folder}/exe`, 'buffer').catch(() => '') // not readable for another user's program
  return { pid: Number(basename(folder)), name: spelled(name.subarray(0, -1)), path: spelled(Buffer.from(path)) }
}

/** A program names itself, and file names are any bytes. */
function spelled(bytes: Uint8Array): string {
  return textOrHex(bytes).trim()
}

/** Owners of the sockets that a scan looked for. */
interface SocketHolders {
  /** Process folders by the inode of a socket they hold. */
  readonly holders: ReadonlyMap<string, string>
  /** The rows of the connection tables. */
  readonly rows: readonly Row[]
}

const NOTHING_SEEN: SocketHolders = { holders: new Map(), rows: [] }

/** Picks the rows whose sockets' owners somebody asks for. */
type Want = (rows: readonly Row[]) => readonly (Row | undefined)[]

/** Both ends in the tables' notation, side by side. */
function endsOf(near: SocketEnd, far: SocketEnd): readonly string[] {
  const farNames = namesOf(far)
  return namesOf(near).map((name, index) => `${name} ${farNames[index] ?? ''}`)
}

/** Reads the connections, and open files until each wanted socket has an owner: of all processes at most. @param first of them */
async function readHolders(proc: string, wants: readonly Want[], first: Iterable<string>): Promise<SocketHolders> {
  const rows: Row[] = []
  for (const table of ['tcp', 'tcp6']) {
    const text = await readFile(`${proc}/net/${table}`, 'utf8').catch(() => '')
    for (const line of text.split('\n').slice(1)) {
      const [, local = '', remote = '', state = '', , , , uid = '', , inode = '0'] = line.trim().split(/\s+/)
      if (local !== '') rows.push({ local, remote, state, uid, inode })
    }
  }
  const wanted = new Set(wants.flatMap((want) => want(rows).map((row) => `socket:[${row?.inode ?? '0'}]`)))
  wanted.delete('socket:[0]')
  const holders = new Map<string, string>()
  const all = wanted.size === 0 ? [] : (await readdir(proc)).filter((name) => /^\d+$/.test(name))
  for (const folder of new Set([...first, ...all.map((pid) => `${proc}/${pid}`)])) {
    if (wanted.size === 0) break
    const names = await readdir(`${folder}/fd`).catch(() => [])
    const targets = await Promise.all(names.map((name) => readlink(`${folder}/fd/${name}`).catch(() => '')))
    for (const target of targets) if (wanted.delete(target)) holders.set(target.slice(8, -1), folder)
  }
  return { holders, rows }
}

/**
 * Scans the process table for many callers at once: calls made during a scan share the next one, so a flood of requests
 * costs two scans rather than one each. A scan is never used for a connection younger than it.
 */
export class ProcessTable {
  readonly #proc: string
  #running: Promise<SocketHolders> | null = null
  #next: Promise<SocketHolders> | null = null
  /** What the next scan looks for. */
  readonly #wants: Want[] = []
  /** Process folders of the callers found last: who called is likely to call again. */
  #known: ReadonlySet<string> = new Set()

  constructor(proc = PROC) {
    this.#proc = proc
  }

  /**
   * Who holds the socket with the address `remote`, such as `127.0.0.1:54286` or `[::1]:54286`; null when it isn't local, isn't
   * visible to this user, or the system isn't Linux. @param nearPort of our end; null where unknown
   */
  async processOf(remote: string, nearPort: number | null = null): Promise<CallerProcess | null> {
    const match = /^(?:\[::ffff:)?(127\.\d+\.\d+\.\d+|\[::1)\]?:(\d+)$/.exec(remote)
    if (match === null) return null
    try {
      const end = { host: match[1] === '[::1' ? '::1' : (match[1] ?? ''), port: Number(match[2]) }
      const row = (rows: readonly Row[]) => onlyRow(end, nearPort, rows)
      const { rows, holders } = await this.#look((all) => [row(all)])
      const folder = holders.get(row(rows)?.inode ?? '')
      return folder === undefined ? null : await processIn(folder)
    } catch {
      return null
    }
  }

  /** A process by its number; null when there is none, or it isn't visible to this user, or the system isn't Linux. */
  async process(pid: number | null): Promise<CallerProcess | null> {
    return pid === null ? null : processIn(`${this.#proc}/${pid}`).catch(() => null)
  }

  /** Who has each near end: `program PID`, `user UID` if no more is visible, `nobody` without owner, null if unknown. */
  async ownersOf(connections: readonly LocalConnection[]): Promise<readonly (string | null)[]> {
    const rowsOf: Want = (rows) => {
      const byEnds = new Map(rows.map((row) => [`${row.local} ${row.remote}`, row]))
      return connections.map(({ near, far }) => {
        const found = endsOf(near, far).map((ends) => byEnds.get(ends))
        return found.find((row) => row !== undefined)
      })
    }
    const { rows, holders } = await this.#look(rowsOf).catch(() => NOTHING_SEEN)
    return rowsOf(rows).map((row) => {
      if (row === undefined) return null
      const folder = holders.get(row.inode)
      if (folder !== undefined) return `program ${basename(folder)}`
      return row.inode === '0' ? 'nobody' : `user ${row.uid}`
    })
  }

  #look(want: Want): Promise<SocketHolders> {
    this.#wants.push(want)
    if (this.#next !== null) return this.#next
    const before = this.#running ?? Promise.resolve()
    const look = before
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        this.#next = null
        this.#running = look
        return readHolders(this.#proc, this.#wants.splice(0), this.#known)
      })
      .then((found) => {
        if (found.holders.size > 0) this.#known = new Set(found.holders.values())
        return found
      })
    this.#next = look
    return look
  }
}
