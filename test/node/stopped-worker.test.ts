// A stop reaches a chain worker that reads no messages, since it is in the middle of a block.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { createWireClient } from '../../src/base/wire/client'
import { portTransport } from '../../src/host/workers/worker-environment'
import { encodeBlock } from '../../src/node/model/block'
import { practiceGenesis } from '../../src/node/networks'
import { openTestChain } from '../../src/node/testing/test-chain'
import { serveChain } from '../../src/node/worker/serve-chain'
import { chainWire, StopFlag } from '../../src/node/worker/wire/chain-wire'

/** 2 to a power of a million bytes, modulo 7: a built-in contract checks in any block, however little gas it has. */
const LONG_POWER = Uint8Array.from(
  Buffer.from(
    '6001600052620f42406020526001604052600260605360806061536007620f42a15360016000620f42a2600060055afa',
    'hex',
  ),
)

it('gives up a block once the flag is raised', async () => {
  const builder = await openTestChain()
  const signed = [builder.rich.sign({ to: null, value: 0n, gasLimit: 6_000_000n, data: LONG_POWER })]
  const block = await builder.nextBlock({ transactions: signed })
  const folder = mkdtempSync(join(tmpdir(), 'headframe-stopped-'))
  const { port1, port2 } = new MessageChannel()
  serveChain(portTransport(port2), { clock: systemClock(), log: silentLogger, searchFrom: import.meta.dirname })
  const client = createWireClient(chainWire, portTransport(port1))
  const stop = new StopFlag()
  const open = (flag: StopFlag) =>
    client.call('chain.open', {
      network: 'practice',
      custom: null,
      folder,
      held: false,
      genesis: practiceGenesis(builder.rich.address),
      pool: null,
      mining: false,
      minimumGasPrice: 1n,
      coinbase: null,
      extraData: new Uint8Array(0),
      gasLimitGoal: null,
      poolDelayMs: 50,
      recommitMs: 1000,
      gcMode: 'full',
      historyBlocks: 0,
      fakePow: true,
      stop: flag.buffer,
    })
  await open(stop)
  stop.raise()
  await expect(client.call('chain.import', { blocks: encodeBlock(block) })).rejects.toMatchObject({
    code: 'CHAIN_NOT_OPEN',
  })
  await open(stop)
  stop.raise()
  await expect(client.call('chain.import', { blocks: encodeBlock(block) })).rejects.toMatchObject({
    code: 'CHAIN_NOT_OPEN',
  })

  await client.call('chain.close', {})
  expect((await open(new StopFlag())).head.number).toBe(0)
  expect(await client.call('chain.import', { blocks: encodeBlock(block) })).toMatchObject({ added: 1, refused: null })
  await client.close()
  rmSync(folder, { recursive: true })
})
