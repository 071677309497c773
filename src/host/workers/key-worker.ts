// Entry of the key worker: the only thread that ever holds a private key.
import '../runtime'
import { randomBytes } from 'node:crypto'
import { serveKeys } from '../../signer/keystore/serve-keys'
import { workerEnvironment } from './worker-environment'

const { transport, clock, log } = workerEnvironment()
serveKeys(transport, { log: log.child({ module: 'keys' }), clock, randomBytes })
