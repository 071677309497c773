// Connections through a SOCKS5 proxy. The proxy gets the name, not an address, so nothing is looked up here and names
// of Tor work. Source: RFC 1928, RFC 1929
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect, type Socket } from 'node:net'
import { messageOf } from '../../../base/errors'
import type { Clock } from '../../../base/time'
import { hostPort, type SocksProxy } from '../../../config/values/pool-url'

/** The longest name in a request, bytes. */
const MAX_NAME_BYTES = 255

/** The pool was not reached: whatever was to be sent may be sent again. */
class ProxyError extends Error {
  /** @param code one of `PROXY_CODES` */
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message)
  }
}

/** The library's words for a login that the proxy refuses or asks for, and for a target that it can't reach. */
const LOGIN_REFUSED = /authentication|unknown authentication type/i
const TARGET_REFUSED = /rejected connection/i

function codeOfFailure(message: string): string {
  if (TARGET_REFUSED.test(message)) return 'EPROXYTARGET'
  return LOGIN_REFUSED.test(message) ? 'EPROXYLOGIN' : 'EPROXYUNREACHED'
}

/**
 * Starts connecting; the caller limits the time, and destroys `socket` to give up. `ready`: the same socket once the proxy
 * has connected it with the target.
 */
export function openProxied(proxy: SocksProxy, target: { readonly host: string; readonly port: number }) {
  const socket = connect({ host: proxy.host, port: proxy.port })
  socket.setNoDelay(true)
  return { socket, ready: negotiate(socket, proxy, target) }
}

async function negotiate(
  socket: Socket,
  proxy: SocksProxy,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Socket> {
  try {
    if (Buffer.byteLength(host) > MAX_NAME_BYTES) throw new Error('the name is too long')
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('it closed the connection')))
    })
    const { SocksClient } = await import('socks')
    const login = proxy.login === null ? {} : { userId: proxy.login.user, password: proxy.login.password.reveal() }
    await SocksClient.createConnection({
      proxy: { host: proxy.host, port: proxy.port, type: 5, ...login },
      command: 'connect',
      destination: { host, port },
      existing_socket: socket,
    })
    return socket
  } catch (error) {
    socket.destroy()
    const reason = messageOf(error)
    throw new ProxyError(`through the proxy ${hostPort(proxy)}: ${reason}`, codeOfFailure(reason))
  }
}

interface ProxiedAgentOptions {
  readonly tls: boolean
  readonly connectMs: number
  readonly clock: Pick<Clock, 'setTimeout'>
}

/** An agent whose connections go through the proxy; `destroy` gives up those being made. */
export function proxiedAgent(proxy: SocksProxy, { tls, connectMs, clock }: ProxiedAgentOptions): HttpAgent {
  const options = { keepAlive: true, maxSockets: 4 }
  const pending = new Set<Socket>()
  const agent = tls ? new HttpsAgent(options) : new HttpAgent(options)
  const encrypt = agent.createConnection.bind(agent)
  agent.createConnection = (request, callback) => {
    const { socket, ready } = openProxied(proxy, { host: String(request.host), port: Number(request.port) })
    const late = new Error(`no connection within ${connectMs / 1_000} s`)
    const limit = clock.setTimeout(() => socket.destroy(late), connectMs)
    pending.add(socket)
    ready
      .finally(() => {
        limit.dispose()
        pending.delete(socket)
      })
      .then(
        (plain) => callback?.(null, (tls ? encrypt(Object.assign(request, { socket: plain })) : plain) ?? plain),
        (error: Error) => callback?.(error, socket),
      )
    return undefined // the callback gets it
  }
  const destroy = agent.destroy.bind(agent)
  agent.destroy = () => {
    for (const socket of pending) socket.destroy()
    destroy()
  }
  return agent
}
