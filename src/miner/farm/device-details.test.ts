import { expect, it } from 'vitest'
import { XHASH_FULL } from '../../xhash/params'
import { neededBytes } from './datasets/dataset-memory'
import { deviceDetails } from './device-details'

const told = { temperatureLimits: null, launch: null, buildSeconds: 41.5 }

it('tells what the epochs need and how far the memory reaches', () => {
  const memoryBytes = neededBytes(XHASH_FULL, 7)
  const details = deviceDetails({
    detected: { driver: 'CUDA 12.4', memoryBytes },
    params: XHASH_FULL,
    epoch: 3,
    ...told,
  })

  expect(details).toEqual({
    driver: 'CUDA 12.4',
    memoryBytes,
    epoch: 3,
    neededBytes: neededBytes(XHASH_FULL, 3),
    nextNeededBytes: neededBytes(XHASH_FULL, 4),
    lastEpoch: 7,
    ...told,
  })
})

it('claims nothing that is not known', () => {
  const details = deviceDetails({ detected: undefined, params: XHASH_FULL, epoch: null, ...told })

  expect(details).toMatchObject({
    driver: '',
    memoryBytes: null,
    neededBytes: null,
    nextNeededBytes: null,
    lastEpoch: null,
  })
})
