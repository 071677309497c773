// Our node and prlx over the same recorded chain, for the tests of one file.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { newFolder } from '../practice-node'
import { QueryNode } from '../query-node'
import { VECTORS } from '../rpc-cases/case-node'
import { ReferenceNode } from './reference-node'

export interface BesideReference {
  readonly ours: QueryNode
  readonly theirs: ReferenceNode
  /** For files that a test writes; removed at the end. */
  readonly folder: string
}

/**
 * Call within `describe`: both run from before its tests until after them. @param isSealed our node checks seals of the
 * test's sizes
 */
export function besideReference({ isSealed = false } = {}): BesideReference {
  const blocks = 'chain.rlp'
  const networkId = 3110
  const ours = new QueryNode({ folder: VECTORS, blocks, networkId, isSealed })
  const theirs = new ReferenceNode()
  const folder = newFolder()
  beforeAll(async () => {
    const files = { genesis: join(VECTORS, 'genesis.json'), blocks: join(VECTORS, blocks), networkId }
    await Promise.all([ours.start(), theirs.start(files)])
  })
  afterAll(async () => {
    await Promise.all([ours.stop(), theirs.stop()])
    rmSync(folder, { recursive: true })
  })
  return { ours, theirs, folder }
}
