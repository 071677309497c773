import { expect, it } from 'vitest'
import { XHASH_FULL } from '../../xhash/params'
import { neededBytes } from './datasets/dataset-memory'
import { deviceDetails } from './device-inventory'

const AT = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000
const told = { temperatureLimits: null, launch: null, buildSeconds: 40 }
/** One epoch per day from now on. */
const epochs = { begins: (epoch: number): number => AT + epoch * DAY_MS }
const input = { ...told, params: XHASH_FULL, epoch: 3, epochs, buildsAhead: false }

it('reports what the epochs need and how far the memory reaches', () => {
  const memoryBytes = neededBytes(XHASH_FULL, 7)
  const details = deviceDetails({
    ...input,
    detected: { driver: 'CUDA 12.4', memoryBytes },
  })

  expect(details).toEqual({
    driver: 'CUDA 12.4',
    memoryBytes,
    epoch: 3,
    neededBytes: neededBytes(XHASH_FULL, 3),
    nextNeededBytes: neededBytes(XHASH_FULL, 4),
    lastEpoch: 7,
    memoryFullAt: AT + 8 * DAY_MS,
    nextChangeAt: AT + 4 * DAY_MS,
    // 8 MiB more on 1,048 MiB
    changeSeconds: expect.closeTo(40.3, 1),
    ...told,
  })
})

it('claims nothing unknown', () => {
  const details = deviceDetails({ ...input, detected: undefined, epoch: null, buildSeconds: null })

  expect(details).toMatchObject({
    driver: '',
    memoryBytes: null,
    neededBytes: null,
    nextNeededBytes: null,
    lastEpoch: null,
    memoryFullAt: null,
    nextChangeAt: null,
    changeSeconds: null,
  })
})

it.each([
  ['nothing, where both datasets fit and the next is built ahead', 2_400, true, 0],
  ['a build, where only one of them fits', 1_200, true, expect.closeTo(40.3, 1)],
  ['a build, where none is built ahead', 2_400, false, expect.closeTo(40.3, 1)],
  ['nothing that can be told, where the next does not fit', 1_128, true, null],
])('an epoch costs %s', (_, mebibytes, buildsAhead, seconds) => {
  const details = deviceDetails({ ...input, buildsAhead, detected: { memoryBytes: mebibytes * 2 ** 20 } })

  expect(details.changeSeconds).toEqual(seconds)
})
