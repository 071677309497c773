// Logs for the RPC front, from the query workers.
import { blockLogsSchema, logPageOf } from './logs/log-answers'
import type { NodeQueries } from './query/query-port'
import type { LogSource } from './rpc/filters/log-source'

/** A log source that sends each search to a query worker. */
export function queryLogSource(queries: NodeQueries): LogSource {
  return {
    search: async ({ addresses, topics }, range, caller) => {
      const filter = { addresses: [...addresses], topics: topics.map((position) => [...position]) }
      return logPageOf(await queries.ask({ kind: 'logs', filter, range }, caller))
    },
    ofBlock: async (hash, caller) =>
      blockLogsSchema.parse(JSON.parse(await queries.ask({ kind: 'blockLogs', hash }, caller))),
  }
}
