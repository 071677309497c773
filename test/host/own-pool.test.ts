// A node that serves its work, and a miner on another data directory: their blocks, and what the window is told.
import { afterEach, expect, it } from 'vitest'
import type { RigsView } from '../../src/contract/rigs'
import { ask } from '../json-rpc'
import { connect, makeBackend, notBuilt, temporaryDataDir } from './backend-fixture'

const open: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function start(args: readonly string[], command: string) {
  const folder = temporaryDataDir()
  open.push(folder.remove)
  const { backend, errors } = await makeBackend(folder.dir, args, command)
  await backend.start(new AbortController().signal)
  open.push(() => backend.stop())
  return { backend, errors }
}

it.skipIf(notBuilt !== null)('a rig mines blocks for the node, and appears among the rigs by itself', async () => {
  const node = await start(
    ['--network', 'practice', '--stratum-bind', '127.0.0.1:0', '--stratum-token', 'a-token-for-my-rigs'],
    'node',
  )
  const { stratum, http } = node.backend.ready()
  const ui = connect(node.backend)
  const views: RigsView[] = []
  ui.on('miner.rigs', (view) => views.push(view))

  await start(
    [
      '-P',
      `stratum3+tcp://cellar:a-token-for-my-rigs@${stratum}`,
      '--xhash.mode',
      'practice',
      '--cpu',
      '--cpu-threads',
      '1',
    ],
    'miner',
  )
  const served = (): RigsView['rigs'][number] | undefined => views.at(-1)?.rigs.find(({ worker }) => worker !== null)
  while ((served()?.worker?.blocks ?? 0) < 2) await new Promise((resolve) => setTimeout(resolve, 50))

  expect(served()).toMatchObject({
    name: 'cellar',
    online: true,
    worker: { dialect: 'stratum2', connections: 1, software: 'headframe/0.0.0' },
  })
  const now = Date.now()
  const { whole, forecast } = await ui.call('miner.money', { bounds: [now - 86_400_000, now] })
  expect(whole.rigs?.foundBlocks.value).toBeGreaterThanOrEqual(2)
  expect(BigInt(whole.rigs?.income.value ?? 0)).toBeGreaterThan(0n)
  expect(whole.sources).toEqual([])
  expect(forecast.incomePerDay).toEqual({ value: null, missing: 'too-early' })
  expect(Number((await ask(`http://${http}`, 'eth_blockNumber', [])).result)).toBeGreaterThanOrEqual(2)
  expect(node.errors.filter((line) => line.includes('"level":"error"'))).toEqual([])
})
