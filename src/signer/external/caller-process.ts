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
   * @param at its connection, and our port that it connected to, if that is TCP
   * @returns null for a remote caller, and if the system doesn't say
   */
  async of(
    { transport, remote }: Caller,
    at: { readonly connection: object | undefined; readonly port: number | undefined },
  ): Promise<CallerProcess | null> {
    if (transport !== 'ipc') return this.#table.processOf(remote, at.port)
    return this.#table.process(at.connection instanceof Socket ? this.#peerProcess(at.connection) : null)
  }
}
