// Entry of a query worker: calls, estimates, proofs and traces on the chain database, which it only reads.
import { serveQuery } from '../../node/query/serve-query'
import { workerEnvironment } from './worker-environment'

const { transport, clock, log, searchFrom } = workerEnvironment()
serveQuery(transport, { clock, log: log.child({ module: 'query' }), searchFrom })
