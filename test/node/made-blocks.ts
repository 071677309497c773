// Chains for peer tests: cheap real seals on a custom network with the smallest proof of work.
import { rmSync } from 'node:fs'
import { bigintFromBytes } from '../../src/base/bytes'
import { toHex } from '../../src/base/hex'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import type { XhashMode } from '../../src/config/schema'
import { forksAtGenesis } from '../../src/node/custom-genesis'
import { headState } from '../../src/node/execution/state-reader'
import { buildTemplate } from '../../src/node/miner-work/template'
import { createBlock, encodeBlock } from '../../src/node/model/block'
import { sealHash } from '../../src/node/model/header'
import { recoverSender } from '../../src/node/model/sender'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { candidateQueue } from '../../src/node/txpool/tx-pool'
import { closeSession, openSession } from '../../src/node/worker/chain-session'
import { importBytes } from '../../src/node/worker/import-bytes'
import { openSchema } from '../../src/node/worker/wire/chain-wire'
import { epochOfHeight } from '../../src/xhash/params'
import { targetOfDifficulty } from '../../src/xhash/target'
import { newDataDir, PASSIVE_CHAIN } from './vector-session'

export const MADE_CHAIN_ID = 4713n
export const rich = new TestWallet(1)

/** @param tag gives another genesis @param payer owns all coins */
export function madeGenesis(tag = '0x01', payer = rich): string {
  return JSON.stringify({
    config: {
      chainId: Number(MADE_CHAIN_ID),
      ...forksAtGenesis(),
      xhash: { coinbaseMaturityBlocks: 3, retargetIntervalBlocks: 2016, asertAnchorHeight: 0 },
    },
    nonce: '0x1',
    timestamp: '0x69054d80',
    epochStartTime: '0x69054d80',
    extraData: tag,
    gasLimit: '0x1c9c380',
    difficulty: '0x2',
    alloc: {
      '0000000000000000000000000000000000000042': { balance: '0x1' },
      [toHex(payer.address).slice(2)]: { balance: '0xde0b6b3a76400000' },
    },
  })
}

export function paymentOf(nonce: bigint, payer = rich) {
  return payer.sign({ nonce, to: new Uint8Array(20).fill(7), value: 1_000n + nonce, chainId: MADE_CHAIN_ID })
}

export interface MadeBlocks {
  /** Preceding blocks, RLP one after another. */
  readonly on?: Uint8Array
  readonly count: number
  /** In the extra data: another tag gives another branch. */
  readonly tag: number
  /** Every n-th block has a payment, 0 = none; or by a block's number. */
  readonly paidEvery: number | ((number: number) => boolean)
  /** Default `test`. */
  readonly xhashMode?: XhashMode
  /** Default `rich`. */
  readonly payer?: TestWallet
}

/** RLP of new blocks, one after another. */
export async function madeBlocks(blocks: MadeBlocks): Promise<Uint8Array> {
  const { on, count, tag, paidEvery, xhashMode = 'test', payer = rich } = blocks
  const folder = newDataDir()
  const params = openSchema.parse({
    network: 'custom',
    custom: { genesis: madeGenesis('0x01', payer), networkId: 1, xhashMode },
    genesis: null,
    folder,
    ...PASSIVE_CHAIN,
  })
  const deps = { clock: systemClock(), log: silentLogger, searchFrom: import.meta.dirname }
  const session = await openSession(params, deps)
  const { chain, store, engine, xhash } = session
  try {
    if (on !== undefined) await importBytes(chain, on)
    const first = Number(chain.head.header.number)
    const parts: Uint8Array[] = []
    const isPaid = typeof paidEvery === 'function' ? paidEvery : (number: number) => number % paidEvery === 0
    for (let made = 1; made <= count; made++) {
      const nonce = headState(store).account(payer.address)?.nonce ?? 0n
      const signed = recoverSender(paymentOf(nonce, payer), MADE_CHAIN_ID)
      if (!signed.ok) throw new Error(signed.error)
      const { block } = await buildTemplate({
        params: chain.params,
        head: chain.head,
        reads: chain.reads,
        state: store,
        engine,
        coinbase: new Uint8Array(20).fill(0xc1),
        extraData: Uint8Array.of(tag),
        gasLimitGoal: 30_000_000n,
        timeFloor: 'parent',
        nowSeconds: chain.head.header.timestamp + 200n,
        candidates: candidateQueue(
          isPaid(first + made) ? [[{ ...signed.value, local: true, sequence: 0, arrivedAt: 0 }]] : [],
        ),
      })
      const hash = sealHash(block.header)
      const target = targetOfDifficulty(block.header.difficulty)
      const epoch = epochOfHeight(xhash.params, Number(block.header.number))
      let nonceOfSeal = 0n
      let seal = await xhash.hashLight(epoch, hash, nonceOfSeal)
      while (bigintFromBytes(seal.result) > target) seal = await xhash.hashLight(epoch, hash, ++nonceOfSeal)
      const sealed = createBlock({ ...block.header, nonce: nonceOfSeal, mixHash: seal.mixDigest }, block.transactions)
      const outcome = await chain.importBlock(sealed)
      if (outcome.kind !== 'head') throw new Error(`made a block that is ${outcome.kind}`)
      parts.push(encodeBlock(sealed))
    }
    return Buffer.concat(parts)
  } finally {
    await closeSession(session)
    rmSync(folder, { recursive: true, force: true })
  }
}
