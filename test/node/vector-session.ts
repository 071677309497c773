// A vector chain on disk, opened as the chain worker opens it.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import type { XhashMode } from '../../src/config/schema'
import { type ChainSession, openSession } from '../../src/node/worker/chain-session'
import { openSchema } from '../../src/node/worker/wire/chain-wire'
import { readVector } from './vector-chain'

export interface VectorSessionOptions {
  /** `chain-kinds`, ... */
  readonly name: string
  readonly folder: string
  readonly xhashMode?: XhashMode
  readonly fakePow?: boolean
}

/** What the chain worker needs of templates, for a chain that isn't mined. */
export const PASSIVE_CHAIN = {
  minimumGasPrice: 1n,
  coinbase: null,
  extraData: new Uint8Array(0),
  gasLimitGoal: null,
  poolDelayMs: 0,
  recommitMs: 20_000,
}

/** A separate folder, removed by its creator. */
export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'headframe-chain-'))
}

/** @throws StoreError, ChainError */
export function openVectorSession(options: VectorSessionOptions): Promise<ChainSession> {
  const genesis = new TextDecoder().decode(readVector(`${options.name}/genesis.json`))
  const params = openSchema.parse({
    network: 'custom',
    custom: { genesis, networkId: 1, xhashMode: options.xhashMode ?? 'full' },
    folder: options.folder,
    genesis: null,
    ...PASSIVE_CHAIN,
    fakePow: options.fakePow ?? true,
  })
  return openSession(params, { clock: systemClock(), log: silentLogger, searchFrom: import.meta.dirname })
}
