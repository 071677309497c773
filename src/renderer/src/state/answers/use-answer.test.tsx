// A repeated query: its period, a hidden page, lost contact, and answers that are slow or the same.
import { act, cleanup, screen } from '@testing-library/react'
import { useCallback } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { stage } from '../../testing/render-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { useEnvironment } from '../environment'
import { useAnswer } from './use-answer'

const EVERY_MS = 5_000
const seen: unknown[] = []

function Reader({ everyMs = EVERY_MS, mark = '' }: { readonly everyMs?: number | null; readonly mark?: string }) {
  const { backend } = useEnvironment()
  const ask = useCallback(() => backend.call('node.rpcTraffic', {}), [backend])
  const { value } = useAnswer(ask, { everyMs, mark })
  if (seen.at(-1) !== value) seen.push(value)
  return <output>{value === null ? 'none' : value.methods.length}</output>
}

const traffic = (count: number) => ({
  methods: Array.from({ length: count }, () => ({ method: 'eth_call', total: 1, failed: 0, lastMinute: 1 })),
})

const asked = ({ calls }: ScriptedBackend): number => calls.filter(({ name }) => name === 'node.rpcTraffic').length

afterEach(() => {
  cleanup()
  seen.length = 0
  vi.restoreAllMocks()
})

describe('a repeated query', () => {
  it('is sent at once and then in every period', async () => {
    const { backend, pass } = await stage(<Reader />, (it) => it.answer('node.rpcTraffic', () => traffic(asked(it))))
    expect(screen.getByRole('status').textContent).toBe('1')
    await pass(EVERY_MS)
    await pass(EVERY_MS)
    expect(screen.getByRole('status').textContent).toBe('3')
    expect(asked(backend)).toBe(3)
  })

  it('waits for an answer that takes longer than a period, and shows it', async () => {
    let give: (count: number) => void = () => undefined
    const { backend, pass } = await stage(<Reader />, (it) =>
      it.answer('node.rpcTraffic', () => new Promise((resolve) => (give = (count) => resolve(traffic(count))))),
    )
    await pass(3 * EVERY_MS)
    expect(asked(backend)).toBe(1)
    await act(async () => give(4))
    expect(screen.getByRole('status').textContent).toBe('4')
    await pass(EVERY_MS)
    expect(asked(backend)).toBe(2)
  })

  it('keeps the object of an answer with the same content', async () => {
    const { pass } = await stage(<Reader />, (it) => it.answer('node.rpcTraffic', () => traffic(2)))
    await pass(4 * EVERY_MS)
    expect(seen).toHaveLength(2) // none, then the answer
  })

  it('is not sent without contact or while the page is hidden, and at once after both', async () => {
    const { backend, pass } = await stage(<Reader />, (it) => it.answer('node.rpcTraffic', () => traffic(1)))
    act(() => backend.setConnection({ kind: 'lost', since: 0, retryAt: 1, reason: '' }))
    await pass(3 * EVERY_MS)
    expect(asked(backend)).toBe(1)
    await act(async () => backend.setConnection({ kind: 'open' }))
    expect(asked(backend)).toBe(2)

    const sight = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await act(async () => document.dispatchEvent(new Event('visibilitychange')))
    await pass(3 * EVERY_MS)
    expect(asked(backend)).toBe(2)
    sight.mockReturnValue('visible')
    await act(async () => document.dispatchEvent(new Event('visibilitychange')))
    expect(asked(backend)).toBe(3)
  })

  it('is sent once where no period is given', async () => {
    const { backend, pass } = await stage(<Reader everyMs={null} />, (it) =>
      it.answer('node.rpcTraffic', () => traffic(1)),
    )
    await pass(10 * EVERY_MS)
    expect(asked(backend)).toBe(1)
  })
})
