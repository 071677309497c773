import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../config/resolve'
import type { ResolvedConfig } from '../../config/resolved-config'
import { dangersOf } from './config-settings'

function start(file: string, argv: readonly string[] = []): ResolvedConfig {
  return resolveConfig({
    argv: ['run', '--datadir', '/d', ...argv],
    surroundings: { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/' },
    readFile: (path) => (path === '/d/config.toml' ? { text: file } : { missing: true }),
    windowless: true,
  })
}

describe('settings that are dangerous together', () => {
  it.each([
    ['every origin over HTTP', '[rpc]\nhttp-cors = ["*"]\n', '--http.corsdomain *'],
    ['every origin over WebSocket', '[rpc]\nws-origins = ["*"]\n', '--ws.origins *'],
    [
      'debug for a foreign page',
      '[rpc]\nhttp-api = ["eth", "debug"]\nhttp-cors = ["https://wallet.example"]\n',
      '--http.api with debug and --http.corsdomain with https://wallet.example',
    ],
  ])('are shown: %s', (_, file, words) => {
    expect(dangersOf(start(file), start('')).join('\n')).toContain(words)
  })

  it.each([
    ['nothing set', ''],
    ['debug without any origin', '[rpc]\nhttp-api = ["debug"]\n'],
    ['debug for pages of this computer', '[rpc]\nhttp-api = ["debug"]\nhttp-cors = ["http://localhost:5173"]\n'],
    ['a foreign page with reading only', '[rpc]\nhttp-cors = ["https://wallet.example"]\n'],
    ['control on this computer', '[api]\nallow-control = true\nbind = "127.0.0.1:3333"\n'],
    [
      'control with a token',
      '[api]\nallow-control = true\nbind = "0.0.0.0:3333"\ntoken = "abcdefghijklmnopqrstuvwxyz"\n',
    ],
  ])('are none: %s', (_, file) => {
    expect(dangersOf(start(file), start(''))).toEqual([])
  })

  it('include what the command line set, since the next start has it too', () => {
    const running = start('', ['--http.api', 'eth,debug'])

    expect(dangersOf(start('[rpc]\nhttp-cors = ["https://wallet.example"]\n'), running)).toHaveLength(1)
    expect(dangersOf(start('[api]\nbind = "0.0.0.0:3333"\n'), start('', ['--api-allow-control']))).toEqual([
      '--api-allow-control on 0.0.0.0:3333 without a token: anybody who reaches it could control the miner; make a token first',
    ])
  })
})
