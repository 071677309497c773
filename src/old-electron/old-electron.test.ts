import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { isKeyUseAllowed, isWindowAllowed, MIN_ELECTRON_MAJOR, oldElectron } from './old-electron'
import { dfAvailable, freeSpace } from './runtime'

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

it('is named to the window by its version; no other is', () => {
  expect(oldElectron('22.3.25')).toEqual({ oldElectron: '22.3.25' })
  expect(oldElectron(`${MIN_ELECTRON_MAJOR}.0.0`)).toEqual({})
  expect(oldElectron(undefined)).toEqual({})
})

it('finds the free space that a newer Node reports', async () => {
  const [ours, theirs] = [await freeSpace(tmpdir()), await statfs(tmpdir())]

  expect((ours.bavail * ours.bsize) / (theirs.bavail * theirs.bsize)).toBeCloseTo(1, 1)
  await expect(freeSpace('/nowhere/at/all')).rejects.toThrow(/nowhere/)
})

it.each([
  ['Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 100 60 40 60% /\n', 40],
  ['Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 100 60 - 60% /\n', null],
  ['', null],
])('reads %j of df as %s', (output, units) => {
  expect(dfAvailable(output)).toBe(units)
})
