// A command's connection to the program that runs on its data directory: the window's contract over the owner's socket.
import { type Clock, systemClock } from '../base/time'
import { createWireClient, type WireClient } from '../base/wire/client'
import type { EventName, PayloadOf } from '../base/wire/define'
import { type Contract, contract } from '../contract/contract'
import { openOwnerChannel } from '../host/dashboard/owner-socket'
import type { CliCall } from './call'
import { dataDirOf } from './load-config'

/** A value that the program doesn't send within this is named as missing. */
const ANSWER_MS = 5_000

/** The connection of one command. */
export interface RunningProgram {
  readonly client: WireClient<Contract>
  readonly dataDir: string
  readonly clock: Clock
}

/** Works on a connection. @throws HostError HOST_NOT_RUNNING, HOST_NOT_OWNER, HOST_NO_ANSWER, and what `work` throws */
export async function withProgram<T>(call: CliCall, work: (program: RunningProgram) => Promise<T>): Promise<T> {
  const clock = systemClock()
  const dataDir = dataDirOf(call)
  const client = createWireClient(contract, await openOwnerChannel(dataDir, clock))
  try {
    return await work({ client, dataDir, clock })
  } finally {
    await client.close()
  }
}

/** An event's current value; null when the program doesn't send it in time. */
export function currentOf<N extends EventName<Contract>>(
  { client, clock }: RunningProgram,
  name: N,
): Promise<PayloadOf<Contract, N> | null> {
  return new Promise((resolve) => {
    const limit = clock.setTimeout(() => settle(null), ANSWER_MS)
    const held = client.on(name, (payload) => queueMicrotask(() => settle(payload)))
    const settle = (payload: PayloadOf<Contract, N> | null): void => {
      limit.dispose()
      held.dispose()
      resolve(payload)
    }
  })
}
