// Which program connected to a local socket, through the addon: Node has no call for it.
import type { Socket } from 'node:net'
import { loadAddon } from '../loader'

/**
 * Id of the process that connected. A hint, never a proof: it may have passed the connection on, or exited since.
 * @param socket accepted by a listener of this process on a path
 * @returns null where the system doesn't say (Windows), and without the addon
 */
type PeerProcess = (socket: Socket) => number | null

/** Searches for the addon once, so that a flood of connections doesn't. */
export function peerProcessReader(): PeerProcess {
  const loaded = loadAddon({ searchFrom: import.meta.dirname })
  return (socket) => {
    const fd = descriptorOf(socket)
    const pid = fd === null || 'error' in loaded ? 0 : (loaded.addon.peerProcess?.(fd) ?? 0)
    return pid > 0 ? pid : null
  }
}

/** Identifies the programs for `ConnectionLimit`, as the process table does for TCP connections; null: unknown. */
export function peerPrograms(): (sockets: readonly Socket[]) => Promise<readonly (string | null)[]> {
  const peerProcess = peerProcessReader()
  return async (sockets) =>
    sockets.map((socket) => {
      const pid = peerProcess(socket)
      return pid === null ? null : `program ${pid}`
    })
}

/** Node has no public name for it. */
function descriptorOf(socket: Socket): number | null {
  if (!('_handle' in socket)) return null
  const handle = socket._handle
  if (typeof handle !== 'object' || handle === null || !('fd' in handle)) return null
  return typeof handle.fd === 'number' && handle.fd >= 0 ? handle.fd : null
}
