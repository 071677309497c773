// Entry of the rules worker: runs the scripts of users, away from everything else.
import '../runtime'
import { serveRules } from '../../signer/rules/serve-rules'
import { threadCpuMs } from './thread-time'
import { workerEnvironment } from './worker-environment'

const { transport, clock, log } = workerEnvironment()
serveRules(transport, { clock, log: log.child({ module: 'rules' }), cpuMs: threadCpuMs })
