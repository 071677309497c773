import { describe, expect, it } from 'vitest'
import { nodeIdOf } from '../../../identity/enr'
import type { NodeAddress } from '../../node-address'
import { lookup } from '../discovery'
import { nearestFirst, tableNode } from './node-table'

function node(number: number): NodeAddress {
  const id = new Uint8Array(64)
  new DataView(id.buffer).setUint32(0, number)
  return { id, host: '10.0.0.1', tcpPort: 1, udpPort: number + 2_000 }
}

const portOf = ({ udpPort }: NodeAddress): number => udpPort
const NODES = Array.from({ length: 200 }, (_, i) => node(i))
const TARGET = node(5_000).id
const signal = new AbortController().signal
const isSelf = (): boolean => false
const sorted = nearestFirst(
  NODES.flatMap((address) => tableNode(address) ?? []),
  nodeIdOf(TARGET),
).map(({ address }) => address)

/** Each node knows ten others, about half as far as itself, or the nearest ones if it is near: a search has to walk. */
async function askNearer(asked: NodeAddress): Promise<readonly NodeAddress[]> {
  const at = sorted.findIndex((other) => portOf(other) === portOf(asked))
  const from = Math.max(0, Math.floor(at / 2) - 5)
  return sorted.slice(from, from + 10)
}

describe('a lookup', () => {
  it('ends at the nodes nearest to the key', async () => {
    const start = sorted.slice(-1)
    const found = await lookup(TARGET, start, { ask: askNearer, isSelf }, signal)

    expect(found.slice(0, 10).map(portOf)).toEqual(sorted.slice(0, 10).map(portOf))
  })

  it("omits nodes that don't answer", async () => {
    const dead = new Set(sorted.slice(0, 5).map(portOf))
    const ask = async (asked: NodeAddress) => (dead.has(portOf(asked)) ? null : askNearer(asked))
    const found = await lookup(TARGET, sorted.slice(-1), { ask, isSelf }, signal)

    expect(found.filter((other) => dead.has(portOf(other)))).toEqual([])
    expect(found.length).toBeGreaterThan(5)
  })

  it('stops after 48 queries if the answers never end', async () => {
    let made = 10_000
    let questions = 0
    const ask = async (): Promise<readonly NodeAddress[]> => {
      questions++
      return Array.from({ length: 16 }, () => node(made++))
    }
    await lookup(TARGET, NODES.slice(0, 3), { ask, isSelf }, signal)

    expect(questions).toBeLessThanOrEqual(50)
  })

  it('queries nobody after it was ended, and never itself', async () => {
    const stopped = new AbortController()
    stopped.abort()
    const asked: number[] = []
    const ask = async (other: NodeAddress) => {
      asked.push(portOf(other))
      return []
    }
    await lookup(TARGET, NODES.slice(0, 3), { ask, isSelf }, stopped.signal)
    await lookup(TARGET, NODES.slice(0, 3), { ask, isSelf: () => true }, signal)

    expect(asked).toEqual([])
  })
})
