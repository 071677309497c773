// Tuning a card: what is typed, what is sent, errors, and the search.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import type { TunedCardView } from '../../../../contract/miner'
import { fill, open } from '../../testing/open-app'
import { aDevice, anInfo } from '../../testing/scripted-values'
import { pointsOf, predict } from './TuningCard'
import './GpuDetail' // preloaded: the first screen would be late otherwise

afterEach(cleanup)

const POWER = { knob: 'power', least: 115, most: 220, now: 220, usual: 220, allowed: true, isSet: false } as const
const FAN = { knob: 'fan', least: 28, most: 100, now: null, usual: null, allowed: null, isSet: false } as const

/** The page of a tunable card, and all calls made by it. */
async function openCard(first: Partial<TunedCardView> = {}, options: { control?: boolean; tariff?: boolean } = {}) {
  const asked: unknown[] = []
  let card: TunedCardView | null = { knobs: [POWER, FAN], search: null, ...first }
  const note = (input: unknown) => {
    asked.push(input)
    return {}
  }
  const { backend } = await open('/gpus/0/tuning', (backend) => {
    fill(backend, [aDevice({ backend: 'cuda' })])
    backend.answer('app.info', () => anInfo({ access: { control: options.control ?? true, approve: false } }))
    backend.answer('miner.tuning', () => ({ card, hasTariff: options.tariff ?? false }))
    backend.answer('miner.tune', note)
    backend.answer('miner.tuneReset', note)
    backend.answer('miner.tuneSearch', note)
  })
  await screen.findByTestId('gpu-tab-tuning')
  return {
    backend,
    asked,
    is: (next: TunedCardView | null) => {
      card = next
    },
  }
}

const type = (testId: string, value: string) => fireEvent.change(screen.getByTestId(testId), { target: { value } })
const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)))

it('sends only what was changed, and shows the result', async () => {
  const { asked, is } = await openCard()
  const power = await screen.findByTestId<HTMLInputElement>('tuning-power-0')
  expect(power.value).toBe('')
  await press('tuning-apply-0')
  expect(asked).toEqual([])

  type('tuning-power-0', '150')
  is({ knobs: [{ ...POWER, now: 150, isSet: true }, FAN], search: null })
  await press('tuning-apply-0')

  expect(asked).toEqual([{ device: 0, settings: { power: 150 } }])
  expect(screen.getByTestId<HTMLInputElement>('tuning-power-0').value).toBe('150')
  type('tuning-power-0', ' ')
  await press('tuning-apply-0')
  expect(asked.at(-1)).toEqual({ device: 0, settings: { power: null } })
  await press('tuning-reset-0')
  expect(asked.at(-1)).toEqual({ device: 0 })
})

it.each(['114', '221', '1e2', '15O', '-150', '150.5'])(
  'says what is accepted instead of %s, and sends nothing',
  async (text) => {
    const { asked } = await openCard()
    await screen.findByTestId('tuning-power-0')
    type('tuning-power-0', text)
    type('tuning-fan-0', '50')
    await press('tuning-apply-0')

    expect(asked).toEqual([])
    expect(screen.getByRole('alert').textContent).toContain('115 to 220')
  },
)

it('keeps what was typed if the driver refuses, with its words', async () => {
  const { backend } = await openCard()
  await screen.findByTestId('tuning-power-0')
  backend.answer('miner.tune', () => {
    throw new WireError('CONTRACT_INVALID', { name: 'miner.tune', reason: 'no rights; sudo nvidia-smi -pl 150' })
  })
  type('tuning-power-0', '150')
  await press('tuning-apply-0')

  expect(screen.getByRole('alert').textContent).toContain('nvidia-smi -pl 150')
  expect(screen.getByTestId<HTMLInputElement>('tuning-power-0').value).toBe('150')
})

it('starts a search, shows its progress, and ends it', async () => {
  const { asked, is } = await openCard()
  await screen.findByTestId('tuning-efficiency-0')
  expect(screen.queryByTestId('tuning-margin-0')).toBeNull()
  is({ knobs: [POWER], search: { goal: 'efficiency', running: true, steps: 4, best: 515_300, points: [], error: '' } })
  await press('tuning-efficiency-0')

  expect(asked).toEqual([{ device: 0, goal: 'efficiency' }])
  expect(screen.getByTestId('tuning-search-0').textContent).toBe('Searching, step 4; best so far: 515\u00a0kH/W')
  expect(screen.getByTestId<HTMLInputElement>('tuning-power-0').disabled).toBe(true)
  is({
    knobs: [POWER],
    search: { goal: 'efficiency', running: false, steps: 4, best: null, points: [], error: 'the card failed' },
  })
  await press('tuning-stop-0')
  expect(asked.at(-1)).toEqual({ device: 0, goal: null })
  expect(screen.getByTestId('tuning-search-0').textContent).toContain('the card failed')
})

it('offers the margin if a tariff is known, and says where rights are missing', async () => {
  await openCard({ knobs: [{ ...POWER, allowed: false }] }, { tariff: true })

  expect(await screen.findByTestId('tuning-margin-0')).toBeTruthy()
  expect(screen.getByTestId('gpu-tuning-0').textContent).toContain('headframe tune')
})

it('says that a device has no knobs, and that read-only users may only look', async () => {
  await openCard({ knobs: [] })
  expect(await screen.findByText(/can’t change any setting/)).toBeTruthy()
  cleanup()
  await openCard({}, { control: false })
  expect(await screen.findByText(/but not change it/)).toBeTruthy()
  expect(screen.queryByTestId('tuning-apply-0')).toBeNull()
})

const step = (power: number, rate: number | null, faults = 0) =>
  ({ settings: { power }, rate, watts: power - 5, score: null, faults }) as const
const SEARCH = {
  goal: 'efficiency',
  running: false,
  steps: 4,
  best: null,
  error: '',
  points: [step(200, 60), step(150, 50), step(120, null), step(130, 45, 2)],
} as const

it('predicts from what was measured only: never past it, never from a step that failed', () => {
  const points = pointsOf({ ...SEARCH, points: [...SEARCH.points] })
  expect(points.map(({ watts }) => watts)).toEqual([145, 195])
  expect(predict(points, { power: 150 })).toEqual({ rate: 50, watts: 145, isMeasured: true })
  expect(predict(points, { power: 175 })).toEqual({ rate: 55, watts: 170, isMeasured: false })
  for (const wanted of [{ power: 140 }, { power: 210 }, { power: 175, fan: 60 }, { power: null }, {}])
    expect(predict(points, wanted), JSON.stringify(wanted)).toBeNull()
})

it('moves a slider and its field together, and says how many changes would be applied', async () => {
  await openCard({ search: { ...SEARCH, points: [...SEARCH.points] } })
  const slider = await screen.findByTestId<HTMLInputElement>('tuning-slider-power-0')
  expect(slider.value).toBe('220')
  fireEvent.change(slider, { target: { value: '150' } })

  expect(screen.getByTestId<HTMLInputElement>('tuning-power-0').value).toBe('150')
  expect(screen.getByTestId('tuning-apply-0').textContent).toBe('Apply 1 change')
  type('tuning-power-0', '180')
  expect(slider.value).toBe('180')
  expect(screen.getByTestId('tuning-preview-0').textContent).toContain('Between two measured power limits')
  type('tuning-power-0', '116')
  expect(screen.getByTestId('tuning-preview-0').textContent).toContain('These settings weren’t measured')
})
