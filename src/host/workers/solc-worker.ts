// Entry of the compiler's worker: started to compile a contract, ended when idle.
import { serveCompiler } from '../../node/compile/serve-compiler'
import { workerEnvironment } from './worker-environment'

const { transport, log, searchFrom } = workerEnvironment()
serveCompiler(transport, { log: log.child({ module: 'solc' }), searchFrom })
