// The power price: parsed as people write it, stored on this device, rejected with a reason.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { fill, open } from '../../../testing/open-app'
import { aGpu } from '../../../testing/scripted-values'
import { readPrice } from './Tariff'
import '../Settings'

afterEach(cleanup)

describe('the tariff', () => {
  it.each([
    ['0.30', '0.30'],
    ['0,3', '0.3'],
    [' 12 ', '12'],
    ['', ''],
    ['1.2.3', null],
    ['-1', null],
    ['1e3', null],
    ['abc', null],
  ])('reads %j as %j', (text, expected) => {
    expect(readPrice(text)).toBe(expected)
  })

  it('is stored on this device and gives the cost of a day', async () => {
    const { storage } = await open('/settings/money', (backend) => fill(backend, [aGpu(0, { powerWatts: 125 })]))

    fireEvent.change(await screen.findByTestId('tariff-price'), { target: { value: '0,40' } })
    fireEvent.change(screen.getByTestId('tariff-currency'), { target: { value: 'EUR' } })
    expect(storage.get('headframe.preferences')).toContain('"tariff":"0.40"')
    await act(async () => {
      window.location.hash = '#/gpus/0/about'
      await new Promise((resolve) => setTimeout(resolve, 0))
    })

    expect((await screen.findByTestId('cost-day')).textContent).toBe('1.20 EUR')
  })

  it('says what is wrong with a price, and keeps the last valid one', async () => {
    const { storage } = await open('/settings/money')
    fireEvent.change(await screen.findByTestId('tariff-price'), { target: { value: '0.5' } })

    fireEvent.change(screen.getByTestId('tariff-price'), { target: { value: '0.5x' } })

    expect(within(screen.getByTestId('tariff')).getByRole('alert').textContent).toContain('Enter a price')
    expect(storage.get('headframe.preferences')).toContain('"tariff":"0.5"')
  })
})
