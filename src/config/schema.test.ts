import { expect, it } from 'vitest'
import { isSharedNetwork, NETWORKS } from './schema'

it('others mine on the main and the test network', () => {
  expect(NETWORKS.filter(isSharedNetwork)).toEqual(['main', 'test'])
  expect(isSharedNetwork(undefined)).toBe(false)
})
