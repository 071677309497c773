// The local program that sent a request, as far as the system reveals it: a hint for the user who decides, never a proof.
import { Socket } from 'node:net'
import { peerProcessReader } from '../../native/system/peer-process'
import { type CallerProcess, ProcessTable } from '../../net/process-table'
import type { Caller } from '../model/request'

export class CallerProcesses {
  readonly #table = new ProcessTable()
  readonly #peerProcess = peerProcessReader()

  /**
   * From the process table for TCP, from the system's information about the connection for a local socket.
   * @param caller a caller's transport and address
   * @param connection to the signer; missing when it came through somebody else, as the node: then any of our ports
   * @returns null for a remote caller, and if the system doesn't say
   */
  async of({ transport, remote }: Caller, connection: object | undefined): Promise<CallerProcess | null> {
    const socket = connection instanceof Socket ? connection : null
    if (transport !== 'ipc') return this.#table.processOf(remote, socket?.localPort)
    return this.#table.process(socket === null ? null : this.#peerProcess(socket))
  }
}
