// Entry of the rules worker: runs users' scripts in isolation.
import { serveRules } from '../../signer/rules/script-engine'
import { threadCpuMs } from './thread-time'
import { workerEnvironment } from './worker-environment'

const { transport, clock, log } = workerEnvironment()
serveRules(transport, { clock, log: log.child({ module: 'rules' }), cpuMs: threadCpuMs })
