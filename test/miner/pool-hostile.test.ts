// What a broken or hostile pool may try: none of it ends the program, keeps the miner from the next pool, or costs a
// share.
import { createServer } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import type { Job, Share } from '../../src/miner/work-source'
import { currentJob, makeRig, type Rig, until } from './pool-harness'
import { type PoolOptions, SimulatedPool } from './pool-sim/pool'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

/** A pool that accepts every share. */
async function aPool(options: Partial<PoolOptions> = {}): Promise<SimulatedPool> {
  const pool = new SimulatedPool({ difficulty: 2, flavour: 'stratum', verify: false, ...options })
  await pool.start()
  open.push(pool)
  return pool
}

async function aRig(urls: readonly string[], options: Parameters<typeof makeRig>[1] = {}): Promise<Rig> {
  const rig = makeRig(urls, options)
  open.push(rig.source)
  await rig.source.start()
  return rig
}

const address = (pool: { readonly port: number }, scheme = 'stratum+tcp'): string =>
  `${scheme}://u.rig:x@127.0.0.1:${pool.port}`

function aShare(job: Job, nonce: bigint): Share {
  const { bits, prefix } = job.extranonce ?? { bits: 0, prefix: 0n }
  const full = (prefix << BigInt(64 - bits)) + nonce
  return { job, nonce: full, mixDigest: new Uint8Array(32), result: new Uint8Array(32), replaced: false }
}

const submit = (rig: Rig, share: Share) => rig.source.submit(share, new AbortController().signal)

it("leaves a pool whose algorithm name can't be converted to text", async () => {
  const pool = await aPool({ flavour: 'stratum2' })
  const rig = await aRig([address(pool, 'stratum3+tcp')])
  await currentJob(rig)

  pool.sendAll({ id: null, method: 'mining.set', params: { algo: { toString: 1, valueOf: 1 } } })

  await until('the end', () => rig.source.pools()[0]?.state === 'unusable')
  expect(rig.source.pools()[0]?.lastFault).toContain('this miner on xhash')
})

it('switches to the next pool if one gives work and hangs up each time', async () => {
  const first = await aPool()
  const second = await aPool()
  const rig = await aRig([address(first), address(second)])
  for (let times = 1; times <= 3; times++) {
    await until('a connection', () => first.connections >= times && rig.jobs.at(-1) !== null && rig.jobs.length > 0)
    first.drop()
    await until('the loss', () => rig.jobs.filter((job) => job === null).length >= times)
  }

  await until('the second pool', () => rig.source.pools()[1]?.state === 'active')
  expect(first.connections).toBe(3)
})

it.each(['stratum', 'getwork'] as const)('%s: switches to the next pool if no job of one is valid', async (flavour) => {
  const first = await aPool({ flavour, faults: { zeroTarget: true } })
  const second = await aPool()
  const rig = await aRig([address(first, flavour === 'getwork' ? 'getwork' : 'stratum+tcp'), address(second)])
  const more = setInterval(() => first.broadcast(), 20)
  open.push({ stop: async () => clearInterval(more) })

  await until('the second pool', () => rig.source.pools()[1]?.state === 'active')
  expect(await currentJob(rig)).toMatchObject({ pool: `127.0.0.1:${second.port}` })
})

it('never sends a nonce under another extranonce than the one it was found with', async () => {
  const pool = await aPool({ flavour: 'nicehash', extranonce: 'ab12' })
  const rig = await aRig([address(pool, 'stratum2+tcp')])
  const found = aShare(await currentJob(rig), 7n)
  pool.drop()
  await until('the loss', () => rig.jobs.at(-1) === null)
  pool.extranonce = 'cd34'
  await until('the way back', () => rig.jobs.at(-1)?.extranonce?.prefix === 0xcd34n)

  expect((await submit(rig, found)).kind).toBe('lost')
  expect(pool.judged).toEqual([])
})

it('warns of a difficulty that is too low for as long as it lasts', async () => {
  const pool = await aPool()
  const rig = await aRig([address(pool)], { maxSharesPerSecond: 2 })
  const job = await currentJob(rig)
  await Promise.all([1n, 2n, 3n, 4n].map((nonce) => submit(rig, aShare(job, nonce))))
  expect(rig.source.state().warning).toContain('difficulty is too low')

  let nonce = 10n
  await until('the end of the warning', () => {
    if (rig.source.state().warning !== '' && pool.judged.length === Number(nonce) - 6) {
      nonce += 1n
      setTimeout(() => void submit(rig, aShare(job, nonce)), 700)
    }
    return rig.source.state().warning === ''
  })
  expect(pool.counts.accepted).toBe(pool.judged.length)
})

it("keeps a share while a node can't be reached, and sends it once it is back", async () => {
  const pool = await aPool({ flavour: 'getwork' })
  const rig = await aRig([address(pool, 'getwork')], { limits: { pollMs: 60_000 }, retryDelayMs: 20, retryMax: 0 })
  const job = await currentJob(rig)
  await pool.stop()
  const verdict = submit(rig, aShare(job, 9n))
  await until('the loss', () => rig.jobs.at(-1) === null)
  await pool.start(pool.port)

  expect((await verdict).kind).toBe('accepted')
  expect(pool.counts).toMatchObject({ accepted: 1, duplicate: 0 })
})

it('retries on a new connection if the node closed the kept one during a submit', async () => {
  let submits = 0
  const work = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`)
  work[1] = `0x${'0'.repeat(64)}`
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const isSubmit = body.includes('eth_submitWork')
      if (isSubmit && ++submits === 1) request.socket.destroy()
      else response.end(JSON.stringify({ id: 1, jsonrpc: '2.0', result: isSubmit ? true : work }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const end = async (): Promise<void> => {
    await new Promise((resolve) => server.close(resolve))
  }
  open.push({ stop: end })
  const place = server.address()
  const port = typeof place === 'object' && place !== null ? place.port : 0
  const rig = await aRig([address({ port }, 'getwork')], { limits: { pollMs: 60_000 } })

  expect((await submit(rig, aShare(await currentJob(rig), 3n))).kind).toBe('accepted')
  expect(submits).toBe(2)
})
