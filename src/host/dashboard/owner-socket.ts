// The data directory's local socket, for its owner: the dashboard's links, and the window's channel for commands.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocket as WebSocketClient, WebSocketServer } from 'ws'
import { z } from 'zod'
import { isSystemCode, messageOf } from '../../base/errors'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { CHANNEL_PATH } from '../../contract/contract'
import { protectPipe } from '../../native/system/owner-pipe'
import { peerPrograms } from '../../native/system/peer-process'
import { ConnectionLimit } from '../../net/connection-limit'
import { listenLocal, localSocketName } from '../../net/listen'
import { MAX_MESSAGE_BYTES, ownChannel } from '../control-port/channel'
import { HostError } from '../errors'
import { dataDirPaths } from '../system/data-dir'
import { lockHolder } from '../system/lock'

const NAME = 'headframe.sock'
const LINKS_PATH = '/links'
/** All connections are from one user, or root. */
const CONNECTIONS = { max: 32, maxPerAddress: 32, maxPerProgram: 8 }
const REQUEST_MS = 5_000
/** A program that doesn't answer within this hangs. */
const ANSWER_MS = 30_000
const MAX_ANSWER = 65_536

const linksSchema = z.object({ pid: z.number(), links: z.array(z.string().startsWith('http')).readonly() })

/** `links`: open the dashboard, with a token if it needs one, this computer's own first; empty: no dashboard. */
export type OwnerLinks = z.infer<typeof linksSchema>

interface OwnerSocketDeps {
  readonly links: () => OwnerLinks
  /** A command of the owner's takes the window's place. */
  readonly onChannel: (transport: Transport) => void
  readonly clock: Clock
  readonly log: Logger
}

/** The socket of a data directory's program. */
export function ownerSocketPath(dataDir: string): string {
  // Pipe names are global to the computer: each data directory needs its own.
  if (process.platform === 'win32')
    return `headframe-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`
  return join(dataDir, NAME)
}

export class OwnerSocket implements Service {
  readonly name = 'owner-socket'
  readonly #connections = new ConnectionLimit(CONNECTIONS, peerPrograms())
  readonly #channels = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  #server: Server | null = null

  constructor(
    private readonly dataDir: string,
    private readonly deps: OwnerSocketDeps,
  ) {}

  /** The program works without this socket: its links are in the data directory too. */
  async start(): Promise<void> {
    const { links, log } = this.deps
    const path = ownerSocketPath(this.dataDir)
    const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (asked, answer) => {
      const isKnown = asked.method === 'GET' && asked.url === LINKS_PATH
      answer.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json', connection: 'close' })
      answer.end(isKnown ? JSON.stringify(links()) : '{}')
    })
    server.on('connection', (socket) => void this.#connections.admit(socket))
    server.on('upgrade', (asked, socket, head) => this.#open(asked, socket, head))
    const failure = await listenLocal(server, localSocketName(path), protectPipe)
    if (failure !== null) {
      log.warn('no socket for headframe link', { path, reason: failure.reason })
      return
    }
    server.on('error', (error) => log.error('socket for headframe link failed', { error: messageOf(error) }))
    this.#server = server
  }

  /** A web page can't reach this socket, so the request's origin says nothing. */
  #open(asked: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined)
    if (asked.url !== CHANNEL_PATH) {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
      return
    }
    const { onChannel, clock } = this.deps
    this.#channels.handleUpgrade(asked, socket, head, (channel) => onChannel(ownChannel(channel, clock)))
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server === null) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of this.#connections.sockets()) socket.destroy()
    await closed
  }
}

/** Asks this data directory's program. @throws HostError HOST_NOT_RUNNING, HOST_NOT_OWNER, HOST_NO_ANSWER */
export async function askForLinks(dataDir: string): Promise<OwnerLinks> {
  try {
    return linksSchema.parse(JSON.parse(await asked(localSocketName(ownerSocketPath(dataDir)))))
  } catch (error) {
    throw unanswered(dataDir, error)
  }
}

/** The window's channel to this data directory's program. @throws as `askOwner` */
export async function openOwnerChannel(dataDir: string, clock: Clock): Promise<Transport> {
  const url = `ws+unix:${localSocketName(ownerSocketPath(dataDir))}:${CHANNEL_PATH}`
  const socket = new WebSocketClient(url, { maxPayload: MAX_MESSAGE_BYTES * 64, handshakeTimeout: ANSWER_MS })
  try {
    const transport = ownChannel(socket, clock)
    await opened(socket)
    return transport
  } catch (error) {
    throw unanswered(dataDir, error)
  }
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
}

function unanswered(dir: string, error: unknown): Error {
  const code = isSystemCode(error, 'ENOENT', 'ENOTDIR', 'ECONNREFUSED')
    ? 'HOST_NOT_RUNNING'
    : isSystemCode(error, 'EACCES', 'EPERM')
      ? 'HOST_NOT_OWNER'
      : null
  const pid = code === 'HOST_NOT_RUNNING' ? (lockHolder(dataDirPaths(dir).lockFile)?.pid ?? null) : null
  if (code !== null && pid === null) return new HostError(code, { dir }, { cause: error })
  const socketless = `process ${pid} runs there, but without ${ownerSocketPath(dir)}: it starts, stops, or its log says why`
  return new HostError(
    'HOST_NO_ANSWER',
    { dir, reason: pid === null ? messageOf(error) : socketless },
    { cause: error },
  )
}

/** The text of the answer. */
function asked(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path: LINKS_PATH, agent: false, timeout: ANSWER_MS }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        text += part
        if (text.length > MAX_ANSWER) answer.destroy(new Error('the answer is too long'))
      })
      answer.on('end', () => resolve(text))
      answer.on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_MS / 1_000} s`)))
    sent.on('error', reject)
    sent.end()
  })
}
