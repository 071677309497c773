import { describe, expect, it } from 'vitest'
import { renamePatiently, renamePatientlySync } from './patient-rename'

/** A rename that fails this often, and the waits between its attempts. */
function held(platform: string, { times, code = 'EPERM' }: { times: number; code?: string }) {
  const waited: number[] = []
  let tries = 0
  const rename = (): void => {
    if (tries++ < times) throw Object.assign(new Error(`${code}: rename`), { code })
  }
  return { platform, rename, wait: (ms: number) => void waited.push(ms), waited, tries: () => tries }
}

function later(world: ReturnType<typeof held>) {
  return { ...world, rename: async () => world.rename(), wait: async (ms: number) => world.wait(ms) }
}

describe.each([
  ['renamePatiently', (world: ReturnType<typeof held>) => renamePatiently('a', 'b', later(world))],
  ['renamePatientlySync', async (world: ReturnType<typeof held>) => renamePatientlySync('a', 'b', world)],
])('%s', (_name, renamed) => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('retries on Windows after %s, waiting longer each time', async (code) => {
    const world = held('win32', { times: 4, code })

    await renamed(world)

    expect(world.tries()).toBe(5)
    expect(world.waited).toEqual([...world.waited].sort((a, b) => a - b))
    expect(world.waited).toHaveLength(4)
  })

  it('gives up eventually', async () => {
    const world = held('win32', { times: 1_000 })

    await expect(renamed(world)).rejects.toMatchObject({ code: 'EPERM' })
    expect(world.tries()).toBe(world.waited.length + 1)
  })

  it.each([
    ['win32', 'ENOENT'],
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
  ])('fails at once on %s with %s', async (platform, code) => {
    const world = held(platform, { times: 1, code })

    await expect(renamed(world)).rejects.toMatchObject({ code })
    expect(world.waited).toEqual([])
  })
})
