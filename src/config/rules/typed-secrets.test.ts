import { expect, it } from 'vitest'
import { Secret } from '../../base/secret'
import { type TypedSecretsInput, typedSecrets } from './typed-secrets'

function typed(keys: readonly string[], rig: string): readonly string[] {
  const sources = Object.fromEntries(keys.map((key) => [key, { kind: 'command line' as const, name: key }]))
  const values = { rigs: { list: [new Secret(rig)] } }
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
