import { expect, it } from 'vitest'
import { keccak256 } from '../codec/keccak'
import { MAIN_CONSENSUS } from '../consensus/params'
import { createQuerySession } from './session'
import type { ChainView } from './snapshots'

const viewOf = (hash: number) => ({ head: { hash: Uint8Array.of(hash) } }) as unknown as ChainView

function sessionOver(views: readonly ChainView[]) {
  let at = 0
  const source = { current: () => views[at++] ?? viewOf(0), close: async () => undefined }
  const options = { chainId: 1n, gasCap: 1_000_000, callTimeoutMs: 5_000, epochBlocks: 720, subsidies: MAIN_CONSENSUS }
  return createQuerySession(options, { views: source, keccak256, searchFrom: import.meta.dirname })
}

it('keeps one view of the chain within a query, though the head moves on', () => {
  const [first, second] = [viewOf(1), viewOf(2)]
  const session = sessionOver([first, second])

  expect(session.view()).toBe(first)
  expect(session.view()).toBe(first)

  session.refresh()

  expect(session.view()).toBe(second)
})

it('reports its timeout in prlx’s words once a run was ended', () => {
  const session = sessionOver([viewOf(1)])
  let now = 0
  const deadline = session.callDeadline({ isStopped: () => false, now: () => now })

  expect(deadline.isOver()).toBe(false)
  now = 5_001

  expect(deadline.isOver()).toBe(true)
  expect(() => deadline.check({ aborted: true } as never)).toThrow('execution aborted (timeout = 5s)')
  expect(() => deadline.check({ aborted: false } as never)).not.toThrow()
})
