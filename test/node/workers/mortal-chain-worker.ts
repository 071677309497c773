// The chain worker, with a way to kill it from outside as a fault would: for lost-chain-worker.test.ts.
import { BroadcastChannel } from 'node:worker_threads'
import '../../../src/host/workers/chain-worker'

new BroadcastChannel('headframe-test-mortal').onmessage = () => process.exit(9)
