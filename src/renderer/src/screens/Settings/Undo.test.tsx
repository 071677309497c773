// What a save changed can be put back, and a setting is found without knowing its page.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { OptionView } from '../../../../contract/options'
import { fill, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
// Loaded before the clock of a search runs; the application loads them when they are first visited.
import './Settings'

afterEach(cleanup)

function anOption(change: Partial<OptionView> = {}): OptionView {
  return {
    key: 'miner.cpuThreads',
    flag: 'cpu-threads',
    fileKey: 'miner.cpu-threads',
    kind: 'number',
    help: 'CPU mining threads.',
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
  it('put back what the last save changed', async () => {
    const { backend } = await open('/settings/miner', withOptions(anOption({ inFile: '2', value: '2' }), cpu))

    fireEvent.change((await field('miner.cpuThreads')).getByRole('textbox'), { target: { value: '4' } })
    fireEvent.click((await field('miner.cpu')).getByRole('checkbox'))
    expect(screen.queryByTestId('options-undo')).toBeNull()
    await press(screen.getByTestId('options-save'))
    await press(screen.getByTestId('options-undo'))

    expect(written(backend).slice(2)).toEqual([
      { key: 'miner.cpu', value: null },
      { key: 'miner.cpuThreads', value: '2' },
    ])
    expect(screen.queryByTestId('options-undo')).toBeNull()
  })

  it('are found by words of their name, help or flag, on every page', async () => {
    await open('/settings/general', withOptions(anOption(), { ...cpu, help: 'Mine with the CPU.' }))

    fireEvent.change(await screen.findByTestId('settings-search'), { target: { value: 'THREADS cpu' } })
    expect(await screen.findByTestId('option-miner.cpuThreads')).toBeTruthy()
    expect(screen.queryByTestId('option-miner.cpu')).toBeNull()
    fireEvent.change(screen.getByTestId('settings-search'), { target: { value: 'zebra' } })
    expect(screen.getByText('No settings match “zebra”')).toBeTruthy()
    fireEvent.change(screen.getByTestId('settings-search'), { target: { value: '' } })

    expect(screen.getByRole('link', { name: 'General', current: 'page' })).toBeTruthy()
  })
})
