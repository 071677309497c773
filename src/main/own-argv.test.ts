import { describe, expect, it } from 'vitest'
import { ownArgv } from './own-argv'

const isAppPath = (argument: string) => argument === '/app'

describe('the words of the command line that are ours', () => {
  it('starts behind the application path of a development start', () => {
    const argv = ['/dist/electron', '--no-sandbox', '/app', 'run', '--datadir', '/d']

    expect(ownArgv({ argv, isDefaultApp: true, isAppPath })).toEqual(['run', '--datadir', '/d'])
  })

  it('starts behind the executable of a packaged program', () => {
    const argv = ['/opt/headframe', '--disable-gpu', '--practice', '--user-data-dir=/tmp/x']

    expect(ownArgv({ argv, isDefaultApp: false, isAppPath })).toEqual(['--practice'])
  })

  it('leaves unknown words in, so that they are refused by name', () => {
    const argv = ['/opt/headframe', '--no-such-thing=1']

    expect(ownArgv({ argv, isDefaultApp: false, isAppPath })).toEqual(['--no-such-thing=1'])
  })
})
