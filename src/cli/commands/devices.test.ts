import { expect, it } from 'vitest'
import type { ListedDevice } from '../../host/miner/device-list'
import { table } from './devices'

const NOTHING = {
  temperature: { core: null, hotspot: null, memory: null },
  fanPercent: null,
  powerWatts: null,
  powerLimitWatts: null,
  clockMhz: { core: null, memory: null },
}

function device(change: Partial<ListedDevice>): ListedDevice {
  return {
    index: 0,
    name: 'Card',
    backend: 'cuda',
    pci: '01:00.0',
    threads: null,
    memoryBytes: 8 * 2 ** 30,
    driver: '570.1',
    select: '01:00.0',
    selected: true,
    fits: { epoch: true, nextEpoch: false, lastEpoch: 89 },
    sensors: NOTHING,
    sensorFault: '',
    ...change,
  }
}

it('lists what is known about each device', () => {
  const sensors = { ...NOTHING, temperature: { ...NOTHING.temperature, core: 61.4 }, fanPercent: 40, powerWatts: 180.2 }
  const cpu = {
    index: 1,
    name: 'Processor',
    backend: 'cpu' as const,
    pci: '',
    select: 'cpu',
    threads: 2,
    selected: false,
    driver: '',
  }

  expect(
    table({ epoch: 89, devices: [device({ sensors }), device({ ...cpu, memoryBytes: null, fits: null })] }),
  ).toEqual([
    '#  KIND  --devices  NAME                  MEMORY   EPOCH 89  EPOCH 90  MINES  SENSORS               DRIVER',
    '0  cuda  01:00.0    Card                  8.0 GiB  fits      too big   yes    61 C, fan 40%, 180 W  570.1',
    '1  cpu   cpu        Processor, 2 threads  ?        ?         ?         no     -',
  ])
})

it('explains why sensors show nothing, and that there is no device', () => {
  expect(table({ epoch: 0, devices: [device({ sensorFault: 'driver is lost' })] })[1]).toContain(' driver is lost ')
  expect(table({ epoch: 0, devices: [] })).toEqual(['no devices found that can mine'])
})

it("keeps a driver's odd words in their columns", () => {
  const odd = device({ name: 'כרטיס\n0  cpu', driver: '\u001b[2J٥' })
  const [head = '', row = '', ...more] = table({ epoch: 0, devices: [odd, device({})] })

  expect(row).toMatch(/^[ -~]*$/)
  expect(more).toHaveLength(1)
  expect(row.indexOf('8.0 GiB')).toBe(head.indexOf('MEMORY'))
})
