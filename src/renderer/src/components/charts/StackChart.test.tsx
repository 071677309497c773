import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StackChart, type StackLayer } from './StackChart'

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  for (const [name, value] of [
    ['clientWidth', 900],
    ['clientHeight', 240],
  ] as const)
    vi.spyOn(HTMLElement.prototype, name, 'get').mockReturnValue(value)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const words = {
  label: 'chart',
  hashrate: 'Hashrate',
  usual: 'usual',
  tick: (rate: number) => `tick ${rate};`,
  value: String,
  rate: String,
  clock: String,
  day: String,
  moment: String,
}

/** The numbers of the axis. */
function ticks(values: StackLayer['values'], now: number | null): readonly number[] {
  const layers = [{ key: '0', label: 'GPU', color: 'red', values, usual: null, now }]
  const shown = { from: 0, to: 86_400_000, bands: [], usual: null, isDead: false, marked: null }
  const nothing = (): void => undefined
  const { container } = render(
    <StackChart {...shown} layers={layers} words={words} onMark={nothing} onPick={nothing} />,
  )
  return [...(container.textContent ?? '').matchAll(/tick ([\d.]+);/g)].map(([, tick]) => Number(tick))
}

const BINS = 288
const nothingYet = Array.from({ length: BINS }, () => null)

it('has an axis of what is recorded, though most of the day has no record', () => {
  const most = Math.max(...ticks([...nothingYet.slice(1), 100_000], 100_000))
  expect(most).toBeGreaterThan(50_000)
  expect(most).toBeLessThanOrEqual(103_000)
})

it('has an axis of what the devices do now before the first record, and none if that is unknown', () => {
  expect(Math.max(...ticks(nothingYet, 100_000))).toBeGreaterThan(50_000)
  cleanup()
  expect(ticks(nothingYet, null)).toEqual([])
})

it.each([
  ['whole beside others', ['CPU', 'GPU 1', 'GPU 2', 'GPU 12'], ['CPU', 'GPU 1', 'GPU 2', 'GPU 12']],
  ['by their numbers after the first, where all are of one kind', ['GPU 0', 'GPU 1', 'GPU 12'], ['GPU 0', '1', '12']],
  ['as they are without a number', ['CPU', 'Main rig'], ['CPU', 'Main rig']],
])('names devices %s, and each whole in its title', (_case, labels, ends) => {
  const layers = labels.map((label) => ({ key: label, label, color: 'red', values: [5], usual: null, now: 5 }))
  const shown = { from: 0, to: 86_400_000, bands: [], usual: null, isDead: false, marked: null }
  const nothing = (): void => undefined
  const { container } = render(
    <StackChart {...shown} layers={layers} words={words} onMark={nothing} onPick={nothing} />,
  )
  const names = [...container.querySelectorAll('foreignObject [title]')]
  expect(names.map((name) => name.textContent)).toEqual(ends)
  expect(names.map((name) => name.getAttribute('title'))).toEqual(labels)
})
