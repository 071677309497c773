// Entry of the check worker: reads and checks long calls of the signer's callers.
import { serveChecks } from '../../signer/external/check-worker'
import { threadNumber } from './thread-time'
import { workerEnvironment } from './worker-environment'

const { transport, log } = workerEnvironment()
serveChecks(transport, { log: log.child({ module: 'checks' }), thread: threadNumber() })
