import { describe, expect, it } from 'vitest'
import { HeadframeError } from '../base/errors'
import { resolveConfig } from './resolve'

function resolve(...argv: readonly string[]) {
  const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/w' }
  return resolveConfig({ argv, surroundings, readFile: () => ({ missing: true }), windowless: true })
}

function failure(...argv: readonly string[]): string {
  try {
    resolve(...argv)
  } catch (error) {
    return error instanceof HeadframeError ? `${error.code} ${error.message}` : String(error)
  }
  return 'no failure'
}

describe('what JSON-RPC serves', () => {
  it('is eth, net and web3 by default, over HTTP and WebSocket', () => {
    const { rpc } = resolve()
    expect([rpc.httpApi, rpc.wsApi]).toEqual([
      ['eth', 'net', 'web3'],
      ['eth', 'net', 'web3'],
    ])
  })

  it('takes a list, each namespace once', () => {
    expect(resolve('--http.api', 'debug, eth,debug', '--http.api', 'admin').rpc.httpApi).toEqual([
      'eth',
      'debug',
      'admin',
    ])
  })

  it.each(['les', 'eth,les', '', 'ETH'])('rejects %j and says what is accepted', (list) => {
    expect(failure('--http.api', list)).toMatch(
      /^CONFIG_VALUE_INVALID .*eth, net, web3, xhash, debug, trace, txpool, admin, miner, personal, wallet/,
    )
  })

  it('allows no page and no WebSocket by default', () => {
    const { rpc } = resolve()
    expect(rpc).toMatchObject({ httpCors: [], ws: false, wsOrigins: [], ipcPath: null, ipcDisable: false })
  })

  it.each([
    ['http://A.example,https://b.example:8443', ['http://a.example', 'https://b.example:8443']],
    ['*', ['*']],
    ['http://*.a.example', ['http://*.a.example']],
  ])('accepts the origins %s', (text, origins) => {
    expect(resolve('--http.corsdomain', text).rpc.httpCors).toEqual(origins)
  })

  it.each(['http://a.example/path', 'a b', 'http://', ','])('rejects the origins %j', (text) => {
    expect(failure('--ws.origins', text)).toMatch(/^CONFIG_VALUE_INVALID /)
  })

  it("lets WebSocket share HTTP's port, and no other", () => {
    expect(resolve('--http', '--ws', '--ws.port', '8545').rpc.wsPort).toBe(8545)
    expect(failure('--http', '--ws', '--ws.port', '8545', '--ws.addr', '127.0.0.2')).toBe('no failure')
    expect(failure('--ws', '--ws.port', '8550', '--signer.http')).toMatch(/--ws.port and --signer.http.port both name/)
  })

  it('warns of a WebSocket that is open to other computers', () => {
    expect(resolve('--ws', '--ws.addr', '0.0.0.0').notices.join('\n')).toContain('--ws.addr 0.0.0.0 is open to other')
  })

  it("makes the socket's path absolute; a bare name is in the data directory, as in the family", () => {
    const paths = ['./x.ipc', 'x.ipc', '/run/x.ipc'].map((path) => resolve('--ipcpath', path).rpc.ipcPath)
    expect(paths).toEqual(['/w/x.ipc', '/h/.local/share/headframe/x.ipc', '/run/x.ipc'])
  })
})
