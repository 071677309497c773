// For tests of the settings: options, a backend that has them, and a user's actions on the form.
import { act, fireEvent, screen, within } from '@testing-library/react'
import type { OptionView } from '../../../contract/options'
import { fill } from './open-app'
import type { ScriptedBackend } from './scripted'

export function anOption(change: Partial<OptionView> = {}): OptionView {
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

export const cpu = anOption({
  key: 'miner.cpu',
  flag: 'cpu',
  kind: 'switch',
  value: 'true',
  defaultValue: 'true',
  expected: 'true or false',
})

export const withOptions =
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

export const written = (backend: ScriptedBackend) =>
  backend.calls.filter(({ name }) => name === 'app.setOption').map(({ params }) => params)
export const press = (element: HTMLElement) => act(async () => void fireEvent.click(element))
export const field = async (key: string) => within(await screen.findByTestId(`option-${key}`))
