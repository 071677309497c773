import { expect, it } from 'vitest'
import { StoreError } from '../../errors'
import { rpcErrorOf } from './dispatch'

it('never names a folder of this machine', () => {
  const folder = '/srv/someone/headframe/main/chain'
  const errors = [
    new StoreError('STORE_DISK_LOW', { folder, freeBytes: 1_000_000, neededBytes: 5_000_000 }),
    new StoreError('STORE_CORRUPT', { folder, reason: `Corruption: ${folder}/000005.ldb` }),
    new StoreError('STORE_UNREADABLE', { folder, reason: 'IO error' }),
  ]

  const messages = errors.map((error) => rpcErrorOf(error).message)

  expect(messages.join()).not.toContain('someone')
  expect(messages[0]).toBe(
    'the disk of (not shown) is nearly full (1 MB free, 5 MB needed): no blocks are imported until there is space',
  )
})

it('reports which trie node is missing', () => {
  const message = rpcErrorOf(new StoreError('STORE_MISSING_NODE', { hash: '0x12' }))
  expect(message).toEqual({ code: -32000, message: 'missing trie node 0x12' })
})

it('reveals nothing of unknown errors', () => {
  expect(rpcErrorOf(new Error('open /srv/someone'))).toEqual({ code: -32000, message: 'internal error' })
})
