import { describe, expect, it } from 'vitest'
import { ownArgv } from './own-argv'

const isAppPath = (argument: string) => argument === '/app'

describe('our words of the command line', () => {
  it('start after the application path of a development start', () => {
    const argv = ['/dist/electron', '--no-sandbox', '/app', 'run', '--datadir', '/d']

    expect(ownArgv({ argv, isDefaultApp: true, isAppPath }).words).toEqual(['run', '--datadir', '/d'])
  })

  it('start after the executable of a packaged program', () => {
    const argv = ['/opt/headframe', '--disable-gpu', '--practice', '--user-data-dir=/tmp/x']

    expect(ownArgv({ argv, isDefaultApp: false, isAppPath }).words).toEqual(['--practice'])
  })

  it('keep unknown words, so that they are rejected by name', () => {
    const argv = ['/opt/headframe', '--no-such-thing=1']

    expect(ownArgv({ argv, isDefaultApp: false, isAppPath }).words).toEqual(['--no-such-thing=1'])
  })

  it("don't include a link, which is kept apart", () => {
    const argv = ['/opt/headframe', '--practice', 'headframe://overview']

    expect(ownArgv({ argv, isDefaultApp: false, isAppPath })).toEqual({
      words: ['--practice'],
      links: ['headframe://overview'],
    })
  })

  it("are never anything after --, whatever the link's author put there", () => {
    const argv = ['/opt/headframe', '--', 'headframe://x" --datadir', '--datadir', '/tmp/theirs']

    expect(ownArgv({ argv, isDefaultApp: false, isAppPath })).toEqual({
      words: [],
      links: ['headframe://x" --datadir', '--datadir', '/tmp/theirs'],
    })
  })
})
