// The last save can be reverted, and a setting is found without knowing its page.
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { open } from '../../testing/open-app'
import { anOption, cpu, field, press, withOptions, written } from '../../testing/settings-form'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './Settings'

afterEach(cleanup)

describe('the settings', () => {
  it('revert what the last save changed', async () => {
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
    await open(
      '/settings/general',
      withOptions(anOption(), { ...cpu, help: 'Mine on the CPU, in addition to any GPUs.' }),
    )

    fireEvent.change(await screen.findByTestId('settings-search'), { target: { value: 'THREADS cpu' } })
    const found = await screen.findByTestId('option-miner.cpuThreads')
    expect(found.textContent).toContain('--cpu-threads')
    expect(screen.queryByTestId('option-miner.cpu')).toBeNull()
    fireEvent.change(screen.getByTestId('settings-search'), { target: { value: 'zebra' } })
    expect(screen.getByText('No settings match “zebra”')).toBeTruthy()
    fireEvent.change(screen.getByTestId('settings-search'), { target: { value: '' } })

    expect(screen.getByRole('link', { name: 'General', current: 'page' })).toBeTruthy()
  })
})
