// Entry of the key worker for keystore.test.ts.
import { randomBytes } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { serveKeys } from '../../src/signer/keystore/serve-keys'

const port = parentPort
if (port !== null) {
  serveKeys(
    {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => void port.on('message', listener),
      onClose: (listener) => void port.on('close', () => listener('closed')),
      close: () => port.close(),
    },
    { log: silentLogger, clock: systemClock(), randomBytes },
  )
}
