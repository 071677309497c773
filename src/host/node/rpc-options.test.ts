import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../config/resolve'
import { rpcOptions } from './rpc-options'

const warnings: string[] = []

function options(...argv: readonly string[]) {
  const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/w' }
  const config = resolveConfig({ argv, surroundings, readFile: () => ({ missing: true }), windowless: true })
  return rpcOptions(config, (message) => void warnings.push(message))
}

describe.skipIf(process.platform === 'win32')('what JSON-RPC listens on', () => {
  it("is the data directory's socket and what is switched on", () => {
    expect(options('--datadir', '/d', '--http=false')).toMatchObject({
      http: null,
      ws: null,
      ipcPath: '/d/headframe.ipc',
    })
    expect(options('--http', '--ws', '--ws.port', '0', '--ipcpath', '/x')).toMatchObject({
      http: {
        host: '127.0.0.1',
        port: 8545,
        api: ['eth', 'net', 'web3'],
        vhosts: ['localhost'],
        corsOrigins: [],
      },
      ws: { host: '127.0.0.1', port: 0, api: ['eth', 'net', 'web3'], origins: [] },
      ipcPath: '/x',
      bodyLimitBytes: 5_242_880,
      batchLimit: 1_000,
      getworkHeight: false,
    })
  })

  it('is nothing when everything is switched off', () => {
    expect(options('--http=false', '--ipcdisable')).toBeNull()
  })

  it('omits a socket whose path would be too long, and says so', () => {
    expect(options('--datadir', `/${'d'.repeat(120)}`, '--http')).toMatchObject({ ipcPath: null })
    expect(warnings).toEqual(['no RPC socket: its path would be too long; name another one with --ipcpath'])
  })
})
