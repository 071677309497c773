import { describe, expect, it } from 'vitest'
import { windowsPathFault, windowsVolume } from './windows-path'

describe('Windows paths', () => {
  it.each([
    'data',
    '.\\data',
    '..\\data',
    'C:\\Users\\ann\\data',
    'C:/Users/ann/data',
    '\\\\server\\share\\data',
    '\\\\?\\C:\\long\\data',
    '\\\\.\\pipe\\clef.ipc',
    'C:\\.hidden\\a.b.c',
    'C:\\console\\com\\nullable\\COM10',
    'Grüße aus 東京\\a b',
    '~\\data',
  ])('may be %s', (path) => expect(windowsPathFault(path)).toBeNull())

  it.each([
    ['NUL', 'NUL is a device'],
    ['C:\\data\\nul.txt', 'nul.txt is a device'],
    ['C:\\COM1\\data', 'COM1 is a device'],
    ['lpt\u00b9', 'is a device'],
    ['\\\\.\\PhysicalDrive0', 'names a device'],
    ['//./C:', 'names a device'],
    ['C:data', 'behind the drive'],
    ['C:', 'behind the drive'],
    ['C:\\data.', 'drops the last character of "data."'],
    ['C:\\data \\a', 'drops the last character of "data "'],
    ['C:\\a...', 'drops the last character'],
    ['C:\\data:stream', 'no name holds ":"'],
    ['C:\\what?', 'no name holds "?"'],
    ['\\\\?\\C:\\a\\CON', 'CON is a device'],
    ['a\u0001', 'no name holds "\\u0001"'],
  ])('are not %s', (path, why) => expect(windowsPathFault(path)).toContain(why))

  it.each([
    ['D:\\a\\b', 'D:'],
    ['\\\\server\\share\\a', '\\\\server\\share'],
    ['\\\\?\\D:\\a', '\\\\?\\D:'],
    ['/nowhere', ''],
  ])('%s are on %s', (base, volume) => expect(windowsVolume(base)).toBe(volume))
})
