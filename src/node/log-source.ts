// Logs for the RPC front, from the query workers.
import { type LiveLine, liveLineOf } from './logs/live-logs'
import { logPageOf } from './logs/log-answers'
import type { NodeQueries } from './query/query-port'
import type { LogSource } from './rpc/filters/log-source'

/** A log source that sends each search to a query worker. */
export function queryLogSource(queries: NodeQueries): LogSource {
  return {
    search: async (given, { from, to }, caller) => {
      const filter = copyOf(given)
      return logPageOf(await queries.ask({ kind: 'logs', filter, range: { from, to } }, caller))
    },
    ofNewBlock: ({ hash, isRemoved, filters }, caller) =>
      linesOf(queries.stream({ kind: 'liveLogs', hash, isRemoved, filters: filters.map(copyOf) }, caller)),
  }
}

function copyOf({ addresses, topics }: Parameters<LogSource['search']>[0]) {
  return { addresses: [...addresses], topics: topics.map((position) => [...position]) }
}

/** The lines of each chunk, in order. */
async function* linesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<readonly LiveLine[]> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map(liveLineOf)
  }
}
