// When pausing everything asks first, what it reaches, and how it is undone.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { RigView } from '../../../contract/rigs'
import { ScriptedBackend } from '../testing/scripted'
import { aRig, someRigs } from '../testing/scripted-rigs'
import { aDevice } from '../testing/scripted-values'
import { createControls } from './controls'
import { createMinerStore, createOperationStore } from './stores/program-store'
import { createPauseAll } from './stores/stores'

function begin(rigs: readonly RigView[] = [], paused = false) {
  const backend = new ScriptedBackend()
    .answer('miner.pause', () => ({}))
    .answer('miner.resume', () => ({}))
    .answer('miner.rigCommand', ({ rigs: names }) => ({
      results: names.map((rig) => ({ rig, error: rig === 'bad' ? 'refused' : '', status: null, reading: 0 })),
    }))
  const controls = createControls({ backend, clock: new FakeClock() })
  const miner = createMinerStore()
  const operation = createOperationStore()
  miner.setState({ devices: { devices: [aDevice({ paused })], takenAt: 0 } })
  operation.setState({ rigs: someRigs(rigs) })
  const all = createPauseAll({ backend, controls, miner, operation })
  const names = () => backend.calls.map(({ name }) => name)
  return { all, backend, names, settled: () => new Promise((resolve) => setTimeout(resolve, 0)) }
}

describe('pausing everything', () => {
  it('asks nothing if there is only this computer', () => {
    const { all, names } = begin([aRig('a', { hasToken: false })])

    all.press(true)

    expect([names(), all.store.getState().question]).toEqual([['miner.pause'], null])
  })

  it('asks once if other rigs could be included, and does nothing before the answer', () => {
    const { all, names } = begin([aRig('a')])

    all.press(true)
    expect([names(), all.store.getState().question]).toEqual([[], { wanted: true, rigs: ['a'] }])
    all.answer('here')
    all.press(false)

    expect(all.store.getState().question).toBeNull()
    expect(names()).toEqual(['miner.pause'])
  })

  it('reaches the other rigs if chosen, names those that refuse, and undoes all of it', async () => {
    const { all, backend, names, settled } = begin([aRig('a'), aRig('bad')])
    all.press(true)
    all.answer('everywhere')
    await settled()
    expect(all.store.getState().failures).toMatchObject([{ rig: 'bad', error: 'refused' }])
    all.forgetFailures()

    all.undo()
    await settled()

    expect(names().filter((name) => name === 'miner.rigCommand')).toHaveLength(2)
    expect(backend.calls.at(-1)?.params).toMatchObject({ rigs: ['a', 'bad'], action: 'resume' })
  })

  it('names all of them if there is no answer', async () => {
    const { all, backend, settled } = begin([aRig('a')])
    backend.answer('miner.rigCommand', () => {
      throw new Error('lost')
    })
    all.press(true)
    all.answer('everywhere')
    await settled()

    expect(all.store.getState().failures).toEqual([{ rig: 'a', error: 'lost' }])
  })

  it('by its key always asks the first time, and toggles', () => {
    const { all, names } = begin([], true)

    all.pressByKey()
    expect(all.store.getState().question).toEqual({ wanted: false, rigs: [] })
    all.answer(null)
    expect(names()).toEqual([])
    all.pressByKey()

    expect(names()).toEqual(['miner.resume'])
  })
})
