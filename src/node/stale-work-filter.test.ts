import { describe, expect, it } from 'vitest'
import { Emitter } from '../base/events'
import { type NodeEvents, StaleWorkFilter } from './node-service'
import type { ChainWork } from './worker/wire/shapes'

const workAt = (height: number): ChainWork => ({
  height,
  sealHash: new Uint8Array(32),
  seedHash: new Uint8Array(32),
  epoch: 0,
  target: new Uint8Array(32),
  difficulty: 1n,
})

function gate(holds = true) {
  const events = new Emitter<NodeEvents>()
  const told: string[] = []
  events.on('workChanged', ({ height }) => told.push(`work ${height}`))
  events.on('workHeld', () => told.push('held'))
  return { told, work: new StaleWorkFilter(events, holds) }
}

describe('the gate for work', () => {
  it('gives no work while the node is behind, and the newest once it has caught up', () => {
    const { told, work } = gate()
    work.take(workAt(1))
    work.judge({ isBehind: true })
    work.take(workAt(2))
    expect(work.current()).toBeNull()
    work.judge({ isBehind: false })

    expect(work.current()?.height).toBe(2)
    expect(told).toEqual(['work 1', 'held', 'work 2'])
  })

  it('always gives work if configured to', () => {
    const { told, work } = gate(false)
    work.judge({ isBehind: true })
    work.take(workAt(1))

    expect(work.current()?.height).toBe(1)
    expect(told).toEqual(['work 1'])
  })
})
