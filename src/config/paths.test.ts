import { describe, expect, it } from 'vitest'
import { absolutePath, defaultDataDir, joinPath, type Surroundings } from './paths'

function on(platform: string, environment: Record<string, string> = {}): Surroundings {
  const homeDir = platform === 'win32' ? 'C:\\U\\ann' : '/h/ann'
  return { platform, environment, homeDir, workingDir: '/w' }
}

describe('default data directory', () => {
  it.each([
    ['linux', {}, '/h/ann/.local/share/headframe'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/headframe'],
    ['linux', { XDG_DATA_HOME: 'not-absolute' }, '/h/ann/.local/share/headframe'],
    ['darwin', {}, '/h/ann/Library/Application Support/headframe'],
    ['win32', {}, 'C:\\U\\ann\\AppData\\Roaming\\headframe'],
    ['win32', { APPDATA: 'D:\\Data' }, 'D:\\Data\\headframe'],
  ])('on %s with %j is %s', (platform, environment, expected) => {
    expect(defaultDataDir(on(platform, environment))).toBe(expected)
  })
})

describe('paths', () => {
  it.each([
    ['linux', 'a/b', '/base/a/b'],
    ['linux', './a', '/base/a'],
    ['linux', '/a', '/a'],
    ['linux', '~/a', '/h/ann/a'],
    ['linux', '~', '/h/ann'],
    ['win32', 'C:\\a', 'C:\\a'],
    ['win32', '\\\\server\\a', '\\\\server\\a'],
    ['win32', 'a', '/base\\a'],
    ['win32', '\\a', '\\a'],
  ])('on %s makes %s absolute as %s', (platform, path, expected) => {
    expect(absolutePath(path, '/base', on(platform))).toBe(expected)
  })

  it.each([
    ['D:\\work', 'D:\\a'],
    ['\\\\server\\share\\work', '\\\\server\\share\\a'],
  ])('resolves a path from the root on the drive of %s', (base, absolute) => {
    expect(absolutePath('\\a', base, on('win32'))).toBe(absolute)
  })

  it('joins without a double separator', () => {
    expect(joinPath('linux', '/a/', 'b')).toBe('/a/b')
  })
})
