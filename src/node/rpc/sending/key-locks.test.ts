import { describe, expect, it } from 'vitest'
import { KeyLocks } from './key-locks'

describe('locks by name', () => {
  it('runs equal names in order, and different names concurrently', async () => {
    const locks = new KeyLocks()
    const order: string[] = []
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })

    const first = locks.run('a', async () => {
      await gate
      order.push('a1')
    })
    const second = locks.run('a', async () => void order.push('a2'))
    await locks.run('b', async () => void order.push('b1'))
    release()
    await Promise.all([first, second])

    expect(order).toEqual(['b1', 'a1', 'a2'])
  })

  it('continues after a failure', async () => {
    const locks = new KeyLocks()

    const failed = locks.run('a', () => Promise.reject(new Error('no')))
    const next = locks.run('a', async () => 'done')

    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('done')
  })
})
