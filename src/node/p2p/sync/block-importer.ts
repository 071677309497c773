// Passes fetched blocks to the chain: gathers the next ones while the previous ones execute.
import { joinBytes } from '../../../base/bytes'
import type { ImportReport } from '../../worker/wire/import-shapes'
import type { P2pChain } from '../p2p-chain'
import type { BodyFetcher } from './body-fetcher'
import type { WorkWatch } from './work-watch'

/** Size of one batch: small, so that progress is reported often. */
const IMPORT = { blocks: 128, bytes: 4 * 1024 * 1024 }

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
 * Null when all blocks of the fetcher were imported. Nothing is being imported any more when this settles.
 * @throws what the fetcher and the chain throw
 */
export async function importAll(deps: BlockImporterDeps): Promise<Refusal | null> {
  const { chain, fetcher, watch, onWaiting, onImporting, onImported } = deps
  let before: Promise<Refusal | null> | null = null
  const execute = async (blocks: Awaited<ReturnType<BodyFetcher['take']>>): Promise<Refusal | null> => {
    const bytes = joinBytes(blocks.map(({ rlp }) => rlp))
    const report = await watch.ours(chain.importBlocks(bytes, fetcher.waiting.headers))
    if (report.added + report.side > 0) watch.worked()
    const refusal = refusalOf(report)
    const last = blocks[blocks.length - 1]
    if (refusal === null && last !== undefined) onImported(Number(last.entry.header.number))
    if (!fetcher.isReady) onWaiting()
    return refusal
  }
  try {
    for (;;) {
      if (before === null && !fetcher.isReady) onWaiting()
      const blocks = await fetcher.take(IMPORT)
      const refusal: Refusal | null = await before
      if (refusal !== null || blocks.length === 0) return refusal
      onImporting()
      before = execute(blocks)
      before.catch(() => undefined) // awaited in the next round
    }
  } finally {
    await before?.catch(() => undefined)
  }
}

function refusalOf({ refused }: ImportReport): Refusal | null {
  if (refused === null) return null
  return refused.future ? { kind: 'future' } : { kind: 'invalid', reason: refused.reason }
}
