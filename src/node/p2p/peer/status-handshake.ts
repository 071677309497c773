// The first parallax/66 message in each direction: whether both nodes are on the same chain.
import { equalBytes } from '../../../base/bytes'
import { hasCode } from '../../../base/errors'
import { type Clock, within } from '../../../base/time'
import { P2pError } from '../../errors'
import { DISCONNECT, FIRST_CAPABILITY_CODE } from '../../protocol/base-messages'
import { type ForkSchedule, forkIdAt, judgeForkId } from '../../protocol/fork-id'
import { CODES, decodeStatus, encodeStatus, PARALLAX, type Status } from '../../protocol/messages'
import type { Connection, Message } from '../rlpx/connection'

const STATUS_MS = 5_000

export interface OwnStatus {
  readonly networkId: number
  readonly totalDifficulty: bigint
  /** 32 bytes */
  readonly head: Uint8Array
  readonly headNumber: bigint
  readonly schedule: ForkSchedule
}

/** Sends ours, awaits theirs. @throws P2pError P2P_TIMEOUT, P2P_CLOSED, P2P_BAD_DATA; the connection is closed then */
export async function exchangeStatus(connection: Connection, own: OwnStatus, clock: Clock): Promise<Status> {
  const first = new Promise<Message>((resolve, reject) => {
    connection.events.on('closed', ({ reason }) => reject(new P2pError('P2P_CLOSED', { reason })))
    connection.receive((message) => {
      connection.receive(null)
      resolve(message)
    })
  })
  const { networkId, totalDifficulty, head, headNumber, schedule } = own
  const forkId = forkIdAt(schedule, headNumber)
  connection.send(
    FIRST_CAPABILITY_CODE + CODES.status,
    encodeStatus({ networkId, totalDifficulty, head, genesis: schedule.genesisHash, forkId }),
  )
  try {
    if (!(await within(first, STATUS_MS, clock)))
      throw new P2pError('P2P_TIMEOUT', { what: 'status', timeoutMs: STATUS_MS })
    const { code, payload } = await first
    if (code !== FIRST_CAPABILITY_CODE + CODES.status) throw refused(`message ${code} came first`)
    const status = decodeStatus(payload)
    if (!status.ok) throw refused(status.error)
    const fault = statusFault(status.value, own)
    if (fault !== null) throw refused(fault)
    return status.value
  } catch (error: unknown) {
    connection.disconnect(hasCode(error, 'P2P_TIMEOUT') ? DISCONNECT.readTimeout : DISCONNECT.subprotocol)
    throw error
  }
}

function statusFault(status: Status & { readonly version: bigint }, own: OwnStatus): string | null {
  if (status.networkId !== own.networkId) return `network id ${status.networkId}, want ${own.networkId}`
  if (status.version !== BigInt(PARALLAX.version)) return `version ${status.version}, want ${PARALLAX.version}`
  if (!equalBytes(status.genesis, own.schedule.genesisHash)) return 'another genesis'
  const verdict = judgeForkId(own.schedule, own.headNumber, status.forkId)
  if (verdict !== 'accept') return `fork id: ${verdict}`
  return status.totalDifficulty < 2n ** 100n ? null : 'total difficulty above 100 bits'
}

function refused(reason: string): Error {
  return new P2pError('P2P_BAD_DATA', { what: 'status', reason })
}
