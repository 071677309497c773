// What survives: a hard kill, a clean stop, and a second start beside the first.
import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { blockNumber, eventually, type Running, rpcResult, startHeadless, temporaryFolder } from './harness'

const hashOf = (block: unknown): string => z.object({ hash: z.string() }).parse(block).hash

describe('a headless program', () => {
  const datadir = temporaryFolder()
  let running: Running
  afterAll(async () => {
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

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

    running = await startHeadless(datadir)

    expect(await blockNumber(running.ready)).toBeGreaterThanOrEqual(height)
    const after = await rpcResult(running.ready.http, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false])
    expect(hashOf(after)).toBe(before)
  })

  it('names the process that holds its data directory', async () => {
    await expect(startHeadless(datadir)).rejects.toThrow(
      new RegExp(`ended with 1:[^]*${datadir} is in use by process ${running.child.pid}`),
    )
  })

  it('exits with 0 at SIGTERM', async () => {
    const code = await running.terminate()

    expect(code).toBe(0)
  })
})
