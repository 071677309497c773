// Figures that readings write into the page: as right as rendered ones, without a render.
import { act, cleanup, screen } from '@testing-library/react'
import { Profiler } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { DeviceView } from '../../../../contract/miner'
import { stage } from '../../testing/render-app'
import { aGpu } from '../../testing/scripted-values'
import { STALE_AFTER_MS, useReadingAge } from '../facts/Value'
import { DeviceValue } from './WrittenValue'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const watts = ({ powerWatts }: DeviceView): number | null => powerWatts
const speed = ({ hashrate }: DeviceView): number | null => hashrate.now

function Power() {
  return <DeviceValue device={0} kind="watts" read={watts} age={useReadingAge(0)} testId="power" />
}

const figure = () => screen.getByTestId('power')
const rate = (now: number) => ({ now, s60: now, m15: now })

async function open(content = <Power />) {
  const rendered = vi.fn()
  const page = await stage(
    <Profiler id="figure" onRender={rendered}>
      {content}
    </Profiler>,
  )
  const read = (change: Partial<DeviceView>, index = 0): void =>
    act(() => {
      const takenAt = page.clock.now()
      page.backend.emit('miner.devices', { devices: [aGpu(index, { takenAt, ...change })], takenAt })
    })
  return { ...page, read, rendered }
}

describe('a figure of a device', () => {
  it('follows readings without a render', async () => {
    const { read, rendered } = await open()
    read({ powerWatts: 115.24 })
    expect([figure().textContent, figure().dataset.value]).toEqual(['115\u00a0W', '115.24'])
    const before = rendered.mock.calls.length

    read({ powerWatts: 90.5 })
    read({ powerWatts: 12_000 })

    expect([figure().textContent, figure().dataset.value]).toEqual(['12.00\u00a0kW', '12000'])
    expect(rendered.mock.calls.length).toBe(before)
  })

  it('is a dash while unknown, and known again afterwards', async () => {
    const { read } = await open()
    read({ powerWatts: 100 })

    read({ powerWatts: null })
    expect([figure().textContent, figure().dataset.value]).toEqual(['–', ''])
    read({ powerWatts: 100 })

    expect([figure().textContent, figure().dataset.value]).toEqual(['100\u00a0W', '100'])
  })

  it('shows its age once readings stop, and is fresh with the next one', async () => {
    const { read, pass } = await open()
    read({ powerWatts: 100 })
    await pass(STALE_AFTER_MS)
    expect(figure().dataset.stale).toBeUndefined()

    await pass(1000)
    expect(figure().dataset.stale).toBe('true')
    expect(figure().textContent).toBe('100\u00a0W, 7\u00a0s ago')
    read({ powerWatts: 99 })

    expect(figure().dataset.stale).toBeUndefined()
    expect(figure().textContent).toBe('99.0\u00a0W')
  })

  it('has no age while unknown', async () => {
    const { read, pass } = await open()
    read({ powerWatts: null })

    await pass(STALE_AFTER_MS + 2000)

    expect([figure().textContent, figure().dataset.stale]).toEqual(['–', undefined])
  })

  it("isn't written while the page is hidden, and is right at once when it is visible again", async () => {
    const { read } = await open()
    read({ powerWatts: 100 })
    const turn = (state: 'hidden' | 'visible') =>
      act(() => {
        vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
        document.dispatchEvent(new Event('visibilitychange'))
      })
    turn('hidden')
    read({ powerWatts: 50 })
    expect(figure().dataset.value).toBe('100')

    turn('visible')

    expect(figure().dataset.value).toBe('50')
  })

  it('keeps its value through a render for another reason', async () => {
    const { read, pass } = await open()
    read({ powerWatts: 100 })
    read({ powerWatts: 120 })

    await pass(STALE_AFTER_MS + 1000)

    expect(figure().textContent).toContain('120\u00a0W')
  })

  it('shares a prefix with its column', async () => {
    const { read } = await open(<DeviceValue device={0} kind="hashrate" read={speed} prefix={2} testId="power" />)
    read({ hashrate: rate(59_010_000) })
    expect([figure().textContent, figure().dataset.value]).toEqual(['59.01', '59010000'])

    read({ hashrate: rate(59_000) })

    expect(figure().textContent).toBe('0.06')
  })

  it('leaves other devices alone', async () => {
    const { read } = await open()
    read({ powerWatts: 100 })

    read({ powerWatts: 70 }, 1)

    expect(figure().dataset.value).toBe('100')
  })
})
