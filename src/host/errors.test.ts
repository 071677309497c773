import { expect, it } from 'vitest'
import { reasonOf } from '../base/errors'
import { HostError } from './errors'

it('says what to do about a full disk, and about a folder that belongs to another user', () => {
  const messageOf = (reason: string) => new HostError('HOST_DATA_DIR_UNUSABLE', { dir: '/data', reason }).message

  expect(messageOf('ENOSPC: no space left on device, write')).toBe(
    'data directory /data cannot be used: ENOSPC: no space left on device, write. Make room on its disk, or choose another --datadir',
  )
  expect(messageOf(reasonOf(Object.assign(new Error('write'), { code: 'ENOSPC' })))).toContain('Make room on its disk')
  expect(messageOf("EACCES: permission denied, mkdir '/data'")).toContain('Check who owns it')
})
