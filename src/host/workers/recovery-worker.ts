// Entry of the sender recovery thread, started by the chain worker.
import '../runtime'
import { parentPort } from 'node:worker_threads'
import { serveRecovery } from '../../node/worker/recovery-thread'

if (parentPort === null) throw new Error('this file runs only as a worker thread')
serveRecovery(parentPort)
