// What survives: a hard kill, a clean stop, and a second start beside the first.
import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { blockNumber, eventually, rpcResult, startHeadless, temporaryFolder } from './harness'

const hashOf = (block: unknown): string => z.object({ hash: z.string() }).parse(block).hash

describe('a headless program', () => {
  const datadir = temporaryFolder()
  afterAll(() => rmSync(datadir, { recursive: true, force: true }))

  it('continues after a hard kill from the stored head with the same hash', async () => {
    const first = await startHeadless(datadir)
    const height = await eventually('two blocks', async () => {
      const number = await blockNumber(first.ready)
      return number >= 2 ? number : null
    })
    const before = hashOf(
      await rpcResult(first.ready.http, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false]),
    )
    await first.kill()

    const second = await startHeadless(datadir)

    expect(await blockNumber(second.ready)).toBeGreaterThanOrEqual(height)
    const after = await rpcResult(second.ready.http, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false])
    expect(hashOf(after)).toBe(before)
    await second.kill()
  })

  it('exits with 0 at SIGTERM', async () => {
    const running = await startHeadless(datadir)

    const code = await running.terminate()

    expect(code).toBe(0)
  })

  it('names the process that holds its data directory', async () => {
    const running = await startHeadless(datadir)

    await expect(startHeadless(datadir)).rejects.toThrow(
      new RegExp(`ended with 1:[^]*${datadir} is in use by process ${running.child.pid}`),
    )
    await running.kill()
  })
})
