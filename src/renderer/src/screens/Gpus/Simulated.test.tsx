// Simulated devices in the list: the offer, and what can be tried with them.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import { fill, NOW, open } from '../../testing/open-app'
import { aDevice, anInfo, aStatus } from '../../testing/scripted-values'
import './Gpus' // preloaded: the first screen would be late otherwise

afterEach(cleanup)

const simulated = aDevice({ name: 'Simulated GPU', pci: 'f000:01:00.0', backend: 'simulated', threads: null })

describe('simulated devices', () => {
  it('are two with one click on the practice network', async () => {
    const asked: unknown[] = []
    const { backend } = await open('/gpus')
    backend.answer('miner.addSimulated', (input) => {
      asked.push(input)
      return {}
    })
    const button = await screen.findByTestId('add-simulated')
    await act(async () => void fireEvent.click(button))

    expect(asked).toEqual([{ count: 2 }])
    act(() => void backend.emit('miner.devices', { devices: [aDevice(), { ...simulated, index: 1 }], takenAt: NOW }))
    expect(screen.queryByTestId('add-simulated')).toBeNull()
  })

  it('can be made to fail on their own page, too', async () => {
    await open('/gpus/1', (backend) => fill(backend, [aDevice(), { ...simulated, index: 1 }]))

    expect(await screen.findByTestId('simulated-faults')).toBeTruthy()
  })

  it('are offered if there is no device at all', async () => {
    await open('/gpus', (backend) => fill(backend, []))

    expect(await screen.findByTestId('add-simulated')).toBeTruthy()
  })

  it.each(['main', 'test'] as const)("aren't offered on the %s network", async (network) => {
    await open('/gpus', (backend) => {
      fill(backend)
      backend.answer('app.info', () => anInfo({ network }))
    })
    await screen.findByTestId('gpu-row-0')

    expect(screen.queryByTestId('add-simulated')).toBeNull()
  })

  it("aren't offered while the miner is off", async () => {
    await open('/gpus', (backend) => {
      fill(backend)
      backend.emit('miner.status', aStatus({ state: 'off' }))
    })
    await screen.findByTestId('gpu-row-0')

    expect(screen.queryByTestId('add-simulated')).toBeNull()
  })

  it('say why none could be added', async () => {
    const { backend } = await open('/gpus')
    backend.answer('miner.addSimulated', () => {
      throw new WireError('CONTRACT_DENIED', { name: 'miner.addSimulated', access: 'control', reason: 'read only' })
    })
    const button = await screen.findByTestId('add-simulated')
    await act(async () => void fireEvent.click(button))

    const words = screen.getAllByRole('alert').map(({ textContent }) => textContent)
    expect(words.join()).toContain('read only')
  })

  it('can be made to fail, unlike real ones', async () => {
    const asked: unknown[] = []
    const { backend } = await open('/gpus/0', (backend) => fill(backend, [simulated]))
    backend.answer('miner.simulateFault', (input) => {
      asked.push(input)
      return {}
    })
    const button = await screen.findByTestId('fault-overheat')
    await act(async () => void fireEvent.click(button))

    expect(asked).toEqual([{ device: 0, fault: 'overheat' }])
    act(() => void backend.emit('miner.devices', { devices: [aDevice()], takenAt: NOW }))
    expect(screen.queryByTestId('fault-overheat')).toBeNull()
  })
})
