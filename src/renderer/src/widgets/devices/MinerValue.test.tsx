// Figures of all devices together, which readings write into the page.
import { act, cleanup, screen } from '@testing-library/react'
import { Profiler } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { type MinerState, selectHashrate } from '../../state/stores/program-store'
import { stage } from '../../testing/render-app'
import { aStatus } from '../../testing/scripted-values'
import { STALE_AFTER_MS, useMinerAge } from '../facts/Value'
import { MinerValue } from './WrittenValue'

afterEach(cleanup)

const readAt = ({ status }: MinerState) => status?.takenAt

function Total() {
  return <MinerValue kind="hashrate" read={selectHashrate} age={useMinerAge(readAt)} testId="total" />
}

const figure = () => screen.getByTestId('total')

async function open() {
  const rendered = vi.fn()
  const page = await stage(
    <Profiler id="figure" onRender={rendered}>
      <Total />
    </Profiler>,
  )
  const read = (now: number): void =>
    act(() => {
      const hashrate = { now, s60: now, m15: now, effective: now }
      page.backend.emit('miner.status', aStatus({ hashrate, takenAt: page.clock.now() }))
    })
  return { ...page, read, rendered }
}

it('is a dash before the first reading, and follows readings without a render', async () => {
  const { read, rendered } = await open()
  expect([figure().textContent, figure().dataset.value]).toEqual(['–', ''])
  read(59_000_000)
  const before = rendered.mock.calls.length

  read(61_200_000)

  expect([figure().textContent, figure().dataset.value]).toEqual(['61.20\u00a0MH/s', '61200000'])
  expect(rendered.mock.calls.length).toBe(before)
})

it('shows its age once readings stop, and is fresh with the next one', async () => {
  const { read, pass } = await open()
  read(59_000_000)

  await pass(STALE_AFTER_MS + 1000)
  expect([figure().textContent, figure().dataset.stale]).toEqual(['59.00\u00a0MH/s, 7\u00a0s ago', 'true'])
  read(58_000_000)

  expect([figure().textContent, figure().dataset.stale]).toEqual(['58.00\u00a0MH/s', undefined])
})
