// Entry of the thread that prepares blocks, started by the chain worker.
import { parentPort } from 'node:worker_threads'
import { servePreparation } from '../../node/worker/preparation-thread'

if (parentPort === null) throw new Error('this file runs only as a worker thread')
servePreparation(parentPort)
