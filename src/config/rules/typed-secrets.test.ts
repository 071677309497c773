import { expect, it } from 'vitest'
import { Secret } from '../../base/secret'
import { type TypedSecretsInput, typedSecrets } from './typed-secrets'

interface Given {
  readonly alert?: string
  readonly pool?: string
  readonly password?: string
  readonly proxy?: string
}

function typed(keys: readonly string[], rig: string, given: Given = {}): readonly string[] {
  const sources = Object.fromEntries(keys.map((key) => [key, { kind: 'command line' as const, name: key }]))
  const { alert, pool, password = '', proxy = '' } = given
  const secrets = (text: string | undefined) => (text === undefined ? [] : [new Secret(text)])
  const values = {
    rigs: { list: [new Secret(rig)] },
    alerts: { to: secrets(alert) },
    pool: { urls: secrets(pool), password: secrets(password), proxy: secrets(proxy) },
  }
  return typedSecrets({ sources, values } as unknown as TypedSecretsInput)
}

it('names every typed secret, and what to use instead', () => {
  const keys = ['api.token', 'p2p.nodeKeyHex', 'rigs.list']

  expect(typed(keys, 'rig.example:3333#token')).toEqual([
    '--api-token can be read by other users of this computer: prefer --api-token-file',
    '--nodekeyhex can be read by other users of this computer: prefer --nodekey FILE or HEADFRAME_NODEKEYHEX',
    'tokens in --rig can be read by other users of this computer: prefer --rig-file',
  ])
})

it.each([
  ['nothing was typed', [], 'rig.example:3333#token'],
  ['there is no secret in it', ['rigs.list'], 'rig.example:3333'],
])('says nothing when %s', (_, keys, rig) => {
  expect(typed(keys, rig)).toEqual([])
})

const RIG = 'rig.example:3333'

it.each([
  ['alerts.to', { alert: 'https://hooks.example/SECRET' }, 'secrets in --alert'],
  ['alerts.to', { alert: 'telegram://123456:AAEabcdefghijklmnopqrstuvwx@-100' }, 'secrets in --alert'],
  ['alerts.to', { alert: 'smtps://u:p@mail.example/?from=a@b.c&to=d@e.f' }, 'secrets in --alert'],
  ['pool.urls', { pool: 'stratum://me.rig:secret@pool.example:1' }, 'a password in -P'],
  ['pool.password', { password: 'secret' }, '--pool-password'],
  ['pool.proxy', { proxy: 'socks5://u:p@127.0.0.1:9050' }, 'a password in --pool-proxy'],
])('names a typed %s of %j', (key, given, what) => {
  expect(typed([key], RIG, given)).toEqual([
    `${what} can be read by other users of this computer: prefer the config file`,
  ])
  expect(typed([], RIG, given)).toEqual([])
})

it.each([
  ['alerts.to', { alert: 'command:/usr/bin/alert' }],
  ['alerts.to', { alert: 'smtp://mail.example/?from=a@b.c&to=d@e.f' }],
  ['pool.urls', { pool: 'stratum://me.rig:x@pool.example:1' }],
  ['pool.urls', { pool: 'stratum://me.rig@pool.example:1' }],
  ['pool.password', { password: 'x' }],
  ['pool.proxy', { proxy: 'socks5://127.0.0.1:9050' }],
])('sees no secret in a typed %s of %j', (key, given) => {
  expect(typed([key], RIG, given)).toEqual([])
})
