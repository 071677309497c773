// Recorded exchanges with Ledger's real Ethereum app (test/vectors/ledger), replayed behind the program's own port.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTransportReplayer, RecordStore } from '@ledgerhq/hw-transport-mocker'
import { z } from 'zod'
import type { DevicePort } from '../device-port'

const exchange = z.tuple([z.string(), z.string()])

const recordedCase = z.object({
  name: z.string(),
  /** `silent`: no confirmation. `blocked`: rejected by the app itself. */
  how: z.enum(['silent', 'approve', 'refuse', 'blocked']),
  path: z.string().optional(),
  input: z
    .object({
      unsigned: z.string().optional(),
      messageHex: z.string().optional(),
      typed: z.unknown().optional(),
      domain: z.string().optional(),
      message: z.string().optional(),
    })
    .optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  signed: z.string().optional(),
  screens: z.array(z.string()).optional(),
  apdus: z.array(exchange),
})

export type RecordedCase = z.infer<typeof recordedCase>

const recording = z.object({ addresses: z.record(z.string(), z.string()), cases: z.array(recordedCase) })

/** All 44. Addresses by path, without `m/`. */
export function recordedCases(): z.infer<typeof recording> {
  const file = join(import.meta.dirname, '../../../../test/vectors/ledger/recorded.json')
  return recording.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** A device that expects these commands in this order, and fails on any other. */
export function recordedDevice(apdus: readonly (readonly [string, string])[]): DevicePort {
  const store = RecordStore.fromString(apdus.map((pair) => pair.join('\n')).join('\n'))
  const open = async () => {
    const transport = await openTransportReplayer(store)
    return {
      exchange: (apdu: Uint8Array) => transport.exchange(Buffer.from(apdu)),
      close: async () => undefined,
    }
  }
  return { plugged: async () => [{ open }] }
}
