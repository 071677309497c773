// Entry of the key worker: the only process that ever opens a key file. It has no files or connections of its own.
import { randomBytes } from 'node:crypto'
import { serveKeys } from '../../signer/keystore/serve-keys'
import { machineUptime } from '../../signer/rules/policy-clock'
import { keyProcessEnvironment } from './key-process-environment'

const uptime = machineUptime()
const { transport, clock, log } = keyProcessEnvironment()
serveKeys(transport, { log: log.child({ module: 'keys' }), clock, randomBytes, uptime })
