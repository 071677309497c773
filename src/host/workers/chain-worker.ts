// Entry of the chain worker: owns the database, verifies and executes blocks, builds templates.
import { join } from 'node:path'
import { serveChain } from '../../node/worker/serve-chain'
import { threadCpuMs } from './thread-time'
import { workerEnvironment } from './worker-environment'

const { transport, clock, log, searchFrom } = workerEnvironment()
const preparationEntry = join(import.meta.dirname, 'preparation-worker.cjs')
serveChain(transport, { clock, cpuMs: threadCpuMs, log: log.child({ module: 'chain' }), searchFrom, preparationEntry })
