// The program's two kinds of listeners: a TCP port, and a local socket that only this user may open.
import { chmod, lstat, mkdir, unlink } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { dirname } from 'node:path'
import { messageOf } from '../base/errors'

/** Why listening failed. */
interface ListenFailure {
  /** `in-use`: another program has that port or socket. */
  readonly kind: 'in-use' | 'failed'
  /** In words, without the address. */
  readonly reason: string
  /** The system's error; undefined when one of our checks refused. */
  readonly cause: unknown
}

/** A TCP address to listen on. */
export interface TcpAddress {
  /** IP literal without brackets, or `localhost`. */
  readonly host: string
  /** 0 = any free one. */
  readonly port: number
}

const OWNER_ONLY = 0o600
/** Masks everything but the owner's read and write permission while the socket is created. */
const OWNER_MASK = 0o177
const PIPE_PREFIX = '\\\\.\\pipe\\'

/** Listens, or returns why not; never throws. `localhost` is 127.0.0.1. */
export async function listenTcp(server: Server, { host, port }: TcpAddress): Promise<TcpAddress | ListenFailure> {
  const failure = await listening(server, () =>
    server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, exclusive: true }),
  )
  return failure ?? tcpAddressOf(server) ?? { host, port }
}

/** The server's address; null while it isn't listening, and for a local socket. */
export function tcpAddressOf(server: Server | null): TcpAddress | null {
  const bound = server?.address() ?? null
  return bound === null || typeof bound === 'string' ? null : { host: bound.address, port: bound.port }
}

/** Tells a failure from an address. */
export function isListenFailure(outcome: TcpAddress | ListenFailure | null): outcome is ListenFailure {
  return outcome !== null && 'kind' in outcome
}

/** Maximum bytes of a socket's path: `sun_path` without its terminator. */
export function longestSocketPath(): number {
  return process.platform === 'darwin' ? 103 : 107
}

/** The name under which a local socket listens: the path itself; on Windows a pipe named after its last part. */
export function localSocketName(path: string): string {
  if (process.platform !== 'win32' || path.startsWith(PIPE_PREFIX)) return path
  return `${PIPE_PREFIX}${path.split(/[\\/]/).pop() ?? path}`
}

/**
 * Listens on a local socket for this user only (null), replacing a killed run's, but no other file, or one that answers.
 * @param name from `localSocketName` @param protectPipe restricts a Windows pipe to this user; returns what failed, or ''
 */
export async function listenLocal(
  server: Server,
  name: string,
  protectPipe: (name: string) => string,
): Promise<ListenFailure | null> {
  if (name.startsWith(PIPE_PREFIX)) return listenOnPipe(server, name, protectPipe)
  if (Buffer.byteLength(name) > longestSocketPath())
    return { kind: 'failed', reason: `longer than ${longestSocketPath()} bytes`, cause: undefined }
  try {
    await mkdir(dirname(name), { recursive: true, mode: 0o700 })
    const failure = (await makeWay(name)) ?? (await listening(server, () => listenPrivately(server, name)))
    if (failure === null) await chmod(name, OWNER_ONLY)
    return failure
  } catch (cause) {
    return { kind: 'failed', reason: messageOf(cause), cause }
  }
}

/** Closes the pipe again when other users can't be kept out. */
async function listenOnPipe(
  server: Server,
  name: string,
  protectPipe: (name: string) => string,
): Promise<ListenFailure | null> {
  const failure = await listening(server, () => server.listen(name))
  if (failure !== null) return failure
  const reason = protectPipe(name)
  if (reason === '') return null
  await new Promise((resolve) => server.close(resolve))
  return { kind: 'failed', reason, cause: undefined }
}

function listening(server: Server, start: () => void): Promise<ListenFailure | null> {
  return new Promise((resolve) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      server.off('listening', done)
      resolve({ kind: cause.code === 'EADDRINUSE' ? 'in-use' : 'failed', reason: messageOf(cause), cause })
    }
    const done = (): void => {
      server.off('error', fail)
      resolve(null)
    }
    server.once('error', fail)
    server.once('listening', done)
    start()
  })
}

/** The file must never be open to others, not even between its creation and a later chmod. */
function listenPrivately(server: Server, path: string): void {
  const before = process.umask(OWNER_MASK)
  try {
    server.listen(path) // binds before it returns
  } finally {
    process.umask(before)
  }
}

/** Removes a socket that nothing answers on; only a refused connection proves that. */
async function makeWay(path: string): Promise<ListenFailure | null> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return null
  if (!found.isSocket())
    return { kind: 'failed', reason: 'a file that is not a socket is in the way', cause: undefined }
  const outcome = await new Promise<string>((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve('listening')
    })
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  if (outcome === 'listening') return { kind: 'in-use', reason: 'another program listens there', cause: undefined }
  if (outcome === 'ECONNREFUSED') await unlink(path)
  return null
}
