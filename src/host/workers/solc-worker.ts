// Entry of the compiler's worker: started when a contract is to be compiled, ended when it has had nothing to do.
import '../runtime'
import { serveCompiler } from '../../node/compile/serve-compiler'
import { workerEnvironment } from './worker-environment'

const { transport, log, searchFrom } = workerEnvironment()
serveCompiler(transport, { log: log.child({ module: 'solc' }), searchFrom })
