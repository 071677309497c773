// Paths that only Windows rejects, from each source of an option.
import { expect, it } from 'vitest'
import { messageOf } from '../../base/errors'
import { resolveConfig } from '../resolve'

function failure(platform: string, given: { argv?: string[]; environment?: Record<string, string>; file?: string }) {
  const { argv = [], environment = {}, file = '' } = given
  const surroundings = {
    platform,
    environment: { APPDATA: 'C:\\D', ...environment },
    homeDir: 'C:\\U',
    workingDir: 'C:\\w',
  }
  const readFile = (path: string) => (path.endsWith('config.toml') ? { text: file } : ({ missing: true } as const))
  try {
    resolveConfig({ argv, surroundings, readFile, windowless: true })
  } catch (error) {
    return messageOf(error)
  }
  return ''
}

it.each([
  [
    'the command line',
    { argv: ['--datadir', 'C:\\NUL'] },
    '--datadir: C:\\NUL is not a path that Windows can have (NUL is a device)',
  ],
  [
    'a variable',
    { environment: { HEADFRAME_DATADIR: 'aux' } },
    'HEADFRAME_DATADIR: aux is not a path that Windows can have (aux is a device)',
  ],
  ['the file', { file: '[accounts]\npassword-file = "D:x"\n' }, 'password-file: D:x is not a whole path'],
])('rejects a device and a drive without a folder on %s', (_source, given, message) => {
  expect(failure('win32', given)).toContain(message)
})

it('accepts the same names elsewhere', () => {
  expect(failure('linux', { argv: ['--datadir', '/data/NUL'] })).toBe('')
})
