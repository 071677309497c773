import { describe, expect, it } from 'vitest'
import type { BackendKind } from '../stats/snapshot'
import type { DetectedDevice } from './device-backend'
import { selectDevices } from './device-selection'

function device(backend: BackendKind, pci: string): DetectedDevice {
  const open = (): never => {
    throw new Error('not opened here')
  }
  return { info: { name: `${backend} ${pci}`, pci, backend, threads: null }, sensors: null, open }
}

const gpus = [device('cuda', '01:00.0'), device('opencl', '02:00.0')]
const cpu = device('cpu', '')
const rig = [...gpus, cpu]

function chosen(words: readonly string[], found = rig, wantsCpu = false, mustSelect = false) {
  const unknown: string[] = []
  const picked = selectDevices(found, { words, wantsCpu, onUnknown: (word) => unknown.push(word), mustSelect })
  return { positions: picked.map((each) => found.indexOf(each)), unknown }
}

describe('the choice of devices', () => {
  it('is every GPU by default, and the CPU only if there is none or the user asked for it', () => {
    expect(chosen([]).positions).toEqual([0, 1])
    expect(chosen([], [cpu]).positions).toEqual([0])
    expect(chosen([], rig, true).positions).toEqual([0, 1, 2])
    expect(chosen([], [device('simulated', 'f000:01:00.0'), cpu]).positions).toEqual([0, 1])
  })

  it.each([
    [['1'], [1]],
    [
      ['2', '0'],
      [0, 2],
    ],
    [['02:00.0'], [1]],
    [['cpu'], [2]],
    [['gpu'], [0, 1]],
    [
      ['all', '-1'],
      [0, 2],
    ],
    [['-0'], [1]],
    [['-cpu'], [0, 1]],
    [
      ['all', '-gpu', '0'],
      [0, 2],
    ],
  ])('takes %j for %j', (words, positions) => {
    expect(chosen(words)).toEqual({ positions, unknown: [] })
  })

  it('is refused where it is empty and that makes no sense', () => {
    expect(() => chosen(['9', 'gpu'], [cpu], false, true)).toThrow(
      '--devices 9,gpu selects none of the devices here: 0 cpu ',
    )
    expect(() => chosen(['-cpu'], [cpu], false, true)).toThrow('selects none')
    expect(() => chosen(['0'], [], false, true)).toThrow('there are none')
    expect(chosen([], [], false, true).positions).toEqual([])
    expect(chosen(['9', '0'], [cpu], false, true)).toEqual({ positions: [0], unknown: ['9'] })
  })

  it('reports words that match nothing here, and continues with the others', () => {
    expect(chosen(['0', '7', '09:00.0'])).toEqual({ positions: [0], unknown: ['7', '09:00.0'] })
  })
})
