import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { isKeyUseAllowed, isWindowAllowed, MIN_ELECTRON_MAJOR } from './old-electron'

it.each([
  ['22.3.25', 'main', false],
  ['22.3.25', 'test', false],
  ['22.3.25', 'practice', true],
  ['22.3.25', 'custom', true],
  [`${MIN_ELECTRON_MAJOR - 1}.9.9`, 'main', false],
  [`${MIN_ELECTRON_MAJOR}.0.0`, 'main', true],
  [undefined, 'main', true],
])('Electron %s on the network %s: a window is allowed = %s', (version, network, isAllowed) => {
  expect(isWindowAllowed(version, network)).toBe(isAllowed)
})

it.each([
  ['22.3.25', 'main', 2110, false],
  ['22.3.25', 'custom', 2110, false],
  ['22.3.25', 'main', 1337, false],
  ['22.3.25', 'practice', 1337, true],
  ['22.3.25', 'test', 2111, true],
  [`${MIN_ELECTRON_MAJOR}.0.0`, 'main', 2110, true],
  [undefined, 'main', 2110, true],
])('Electron %s, network %s, chain %d: keys may be opened = %s', (version, network, chainId, isAllowed) => {
  expect(isKeyUseAllowed(version, { network, chainId })).toBe(isAllowed)
})

it('accepts the three newest major versions, counted from the one in package.json', () => {
  const { devDependencies } = z
    .object({ devDependencies: z.object({ electron: z.string() }) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))

  expect(MIN_ELECTRON_MAJOR).toBe(Number.parseInt(devDependencies.electron, 10) - 2)
})
