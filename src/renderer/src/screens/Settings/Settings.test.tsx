// The settings form: made from the options there are, changed only on purpose, refused in words.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import type { OptionView } from '../../../../contract/options'
import type { ScriptedBackend } from '../../data/scripted'
import { aGpu, anInfo } from '../../data/scripted-values'
import { fill, open } from '../../testing/open-app'
import { readPrice } from './Tariff'
// Loaded before the clock of a search runs; the application loads them when they are first visited.
import './Settings'

afterEach(cleanup)

function anOption(change: Partial<OptionView> = {}): OptionView {
  return {
    key: 'miner.cpuThreads',
    flag: 'cpu-threads',
    fileKey: 'miner.cpu-threads',
    kind: 'number',
    help: 'Threads that the CPU mines with.',
    expected: 'in 1..256',
    unit: null,
    choices: null,
    range: { min: 1, max: 256 },
    applies: 'service',
    danger: null,
    value: '1',
    defaultValue: '1',
    source: { kind: 'default', name: '' },
    inFile: null,
    locked: '',
    ...change,
  }
}

const cpu = anOption({
  key: 'miner.cpu',
  flag: 'cpu',
  kind: 'switch',
  value: 'true',
  defaultValue: 'true',
  expected: 'true or false',
})

const withOptions =
  (...options: readonly OptionView[]) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    backend
      .answer('app.options', () => ({
        file: '/d/config.toml',
        sections: [{ name: 'miner', title: 'Miner', options: [...options] }],
      }))
      .answer('app.setOption', () => ({ applies: 'service' }))
  }

const written = (backend: ScriptedBackend) =>
  backend.calls.filter(({ name }) => name === 'app.setOption').map(({ params }) => params)
const press = (element: HTMLElement) => act(async () => void fireEvent.click(element))
const field = async (key: string) => within(await screen.findByTestId(`option-${key}`))

describe('the settings', () => {
  it('have a section for each section of options, and the file that is written', async () => {
    await open('/settings/miner', withOptions(anOption()))

    expect(await screen.findByText('/d/config.toml')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Miner', current: 'page' }).getAttribute('href')).toBe('#/settings/miner')
    const option = await field('miner.cpuThreads')
    expect(option.getByRole('textbox', { name: '--cpu-threads' })).toBeTruthy()
    expect(option.getByText(/Accepted: in 1..256 · Default: 1 · Takes effect after a restart/)).toBeTruthy()
  })

  it('write what was changed when it is saved, and nothing before', async () => {
    const { backend } = await open('/settings/miner', withOptions(anOption(), cpu))
    const text = (await field('miner.cpuThreads')).getByRole('textbox')

    fireEvent.change(text, { target: { value: '4' } })
    fireEvent.click((await field('miner.cpu')).getByRole('checkbox'))
    expect(written(backend)).toEqual([])
    expect(screen.getByTestId('save-bar').textContent).toContain('2 changes')
    await press(screen.getByTestId('options-save'))

    expect(written(backend)).toEqual([
      { key: 'miner.cpuThreads', value: '4' },
      { key: 'miner.cpu', value: 'false' },
    ])
    expect(screen.getByTestId('options-saved').textContent).toContain('2 changes were written')
    expect(screen.queryByTestId('save-bar')).toBeNull()
  })

  it('forget a change that was taken back by typing or discarded', async () => {
    await open('/settings/miner', withOptions(anOption()))
    const text = (await field('miner.cpuThreads')).getByRole('textbox')

    fireEvent.change(text, { target: { value: '4' } })
    fireEvent.change(text, { target: { value: '1' } })
    expect(screen.queryByTestId('save-bar')).toBeNull()
    fireEvent.change(text, { target: { value: '4' } })
    await press(screen.getByRole('button', { name: 'Discard' }))

    expect(screen.queryByTestId('save-bar')).toBeNull()
    expect(text).toHaveProperty('value', '1')
  })

  it('keep what was refused in the form, with the reason beside it', async () => {
    const { backend } = await open('/settings/miner', withOptions(anOption(), cpu))
    backend.answer('app.setOption', ({ key }) => {
      if (key === 'miner.cpu') return { applies: 'service' }
      throw new WireError('CONTRACT_INVALID', { name: key, reason: '0 is not in 1..256' })
    })
    fireEvent.change((await field('miner.cpuThreads')).getByRole('textbox'), { target: { value: '0' } })
    fireEvent.click((await field('miner.cpu')).getByRole('checkbox'))

    await press(screen.getByTestId('options-save'))

    const option = await field('miner.cpuThreads')
    expect(option.getByRole('alert').textContent).toContain('0 is not in 1..256')
    expect(option.getByRole('textbox')).toHaveProperty('value', '0')
    expect(screen.getByTestId('save-bar').textContent).toContain('1 change')
    expect(screen.getByTestId('options-saved').textContent).toContain('1 change was written')
  })

  it('take an option out of the file for its default', async () => {
    const inFile = anOption({ value: '3', inFile: '3', source: { kind: 'file', name: '/d/config.toml:2' } })
    const { backend } = await open('/settings/miner', withOptions(inFile))

    await press((await field('miner.cpuThreads')).getByRole('button', { name: 'Use the default of cpu-threads' }))
    await press(screen.getByTestId('options-save'))

    expect(written(backend)).toEqual([{ key: 'miner.cpuThreads', value: null }])
  })

  it('say what the next start will have', async () => {
    await open('/settings/miner', withOptions(anOption({ inFile: '5' })))

    expect((await field('miner.cpuThreads')).getByText(/From the next start: 5/)).toBeTruthy()
  })

  it('show what the command line set, and do not let it be changed', async () => {
    const locked = anOption({
      locked: 'command line',
      value: '8',
      source: { kind: 'command line', name: '--cpu-threads' },
    })
    await open('/settings/miner', withOptions(locked))

    const option = await field('miner.cpuThreads')
    expect(option.getByText('Set by --cpu-threads at this start, so it cannot be changed here.')).toBeTruthy()
    expect(option.queryByRole('textbox')).toBeNull()
    expect(option.getByText('8')).toBeTruthy()
  })

  it('never hold a secret, and send a new one only when one was typed', async () => {
    const token = anOption({
      key: 'api.token',
      flag: 'api-token',
      kind: 'secret',
      value: '***',
      inFile: '***',
      range: null,
    })
    const { backend } = await open('/settings/miner', withOptions(token, cpu))
    const option = await screen.findByTestId('option-api.token')
    const input = within(option).getByLabelText('--api-token')

    expect(input).toHaveProperty('value', '')
    expect(input).toHaveProperty('type', 'password')
    fireEvent.click((await field('miner.cpu')).getByRole('checkbox'))
    await press(screen.getByTestId('options-save'))

    expect(written(backend)).toEqual([{ key: 'miner.cpu', value: 'false' }])
  })

  it('can only be looked at where one may only read', async () => {
    await open('/settings/miner', (backend) => {
      withOptions(anOption(), cpu)(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })

    expect(await screen.findByText('This connection may only read, so nothing can be changed here.')).toBeTruthy()
    expect(within(screen.getByTestId('options')).queryByRole('textbox')).toBeNull()
    expect(within(screen.getByTestId('options')).queryByRole('checkbox')).toBeNull()
  })

  it('that cannot be read can be asked for again', async () => {
    const { backend } = await open('/settings/miner', fill)
    expect((await screen.findByRole('alert')).textContent).toContain('The options could not be read')
    withOptions(anOption())(backend)

    await press(screen.getByRole('button', { name: 'Retry' }))

    expect(await screen.findByTestId('option-miner.cpuThreads')).toBeTruthy()
  })
})

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

  it('is kept on this device and makes the cost of a day', async () => {
    const { storage } = await open('/settings/money', (backend) => fill(backend, [aGpu(0, { powerWatts: 125 })]))

    fireEvent.change(await screen.findByTestId('tariff-price'), { target: { value: '0,40' } })
    fireEvent.change(screen.getByTestId('tariff-currency'), { target: { value: 'EUR' } })
    expect(storage.get('headframe.preferences')).toContain('"tariff":"0.40"')
    await act(async () => {
      window.location.hash = '#/gpus/0'
      await new Promise((resolve) => setTimeout(resolve, 0))
    })

    expect((await screen.findByTestId('cost-day')).textContent).toBe('1.20 EUR')
  })

  it('says what is wrong with a price, and keeps the last right one', async () => {
    const { storage } = await open('/settings/money')
    fireEvent.change(await screen.findByTestId('tariff-price'), { target: { value: '0.5' } })

    fireEvent.change(screen.getByTestId('tariff-price'), { target: { value: '0.5x' } })

    expect(screen.getByRole('alert').textContent).toContain('Enter a price')
    expect(storage.get('headframe.preferences')).toContain('"tariff":"0.5"')
  })
})
