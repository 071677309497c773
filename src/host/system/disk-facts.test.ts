import { describe, expect, it } from 'vitest'
import { isNetworkMount } from './disk-facts'

const MOUNTS = [
  '/dev/sda1 / ext4 rw 0 0',
  'nas:/far /srv/far nfs4 rw 0 0',
  '/dev/sdb1 /srv/far/my\\040disk xfs rw 0 0',
  'me@far: /mnt/far fuse.sshfs rw 0 0',
].join('\n')

describe('the disk of a folder', () => {
  it.each([
    ['/var/lib/headframe', false],
    ['/srv/far', true],
    ['/srv/far/deep', true],
    ['/srv/farther', false],
    ['/srv/far/my disk/data', false],
    ['/mnt/far/data', true],
  ])('of %s is a network drive: %s', (folder, expected) => {
    expect(isNetworkMount(MOUNTS, folder)).toBe(expected)
  })

  it('is unknown without a list', () => {
    expect(isNetworkMount('', '/srv')).toBeNull()
  })
})
