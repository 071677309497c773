// Passes fetched blocks to the chain: gathers and prepares the next ones while the previous ones execute.
import { joinBytes } from '../../../base/bytes'
import type { ImportReport } from '../../worker/wire/import-shapes'
import type { P2pChain } from '../p2p-chain'
import type { BodyFetcher } from './body-fetcher'
import type { WorkWatch } from './work-watch'

/** Size of one batch: small, so that progress is reported often. */
const IMPORT = { blocks: 128, bytes: 4 * 1024 * 1024 }
/** Batches that wait in the chain behind the one that executes: another thread prepares them meanwhile. */
const AHEAD = 1

/** Why some blocks were rejected. */
export type Refusal = { readonly kind: 'future' } | { readonly kind: 'invalid'; readonly reason: string }

/** Where blocks come from, and who gets progress. */
export interface BlockImporterDeps {
  readonly chain: P2pChain
  readonly fetcher: BodyFetcher
  readonly watch: WorkWatch
  readonly onWaiting: () => void
  readonly onImporting: () => void
  /** @param height of the last block */
  readonly onImported: (height: number) => void
}

/**
 * Null when all blocks of the fetcher were imported. Nothing is being imported anymore when this settles.
 * @throws what the fetcher and the chain throw
 */
export async function importAll(deps: BlockImporterDeps): Promise<Refusal | null> {
  const { chain, fetcher, watch, onWaiting, onImporting, onImported } = deps
  const running: Promise<void>[] = []
  let refusal: Refusal | null = null
  const execute = async (blocks: Awaited<ReturnType<BodyFetcher['take']>>): Promise<void> => {
    const bytes = joinBytes(blocks.map(({ rlp }) => rlp))
    const report = await watch.ours(chain.importBlocks(bytes, fetcher.waiting.headers))
    if (report.added + report.side > 0) watch.worked()
    refusal ??= refusalOf(report)
    const last = blocks[blocks.length - 1]
    if (refusal === null && last !== undefined) onImported(Number(last.entry.header.number))
    if (running.length <= 1 && !fetcher.isReady) onWaiting()
  }
  try {
    for (;;) {
      if (running.length === 0 && !fetcher.isReady) onWaiting()
      const blocks = await fetcher.take(IMPORT)
      while (refusal === null && running.length > (blocks.length === 0 ? 0 : AHEAD)) {
        await running[0]
        running.shift()
      }
      if (refusal !== null || blocks.length === 0) return refusal
      onImporting()
      const next = execute(blocks)
      next.catch(() => undefined) // awaited in a later round
      running.push(next)
    }
  } finally {
    await Promise.allSettled(running)
  }
}

function refusalOf({ refused }: ImportReport): Refusal | null {
  if (refused === null) return null
  return refused.future ? { kind: 'future' } : { kind: 'invalid', reason: refused.reason }
}
