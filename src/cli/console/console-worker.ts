// Entry that makes the console's calls for the main thread, which blocks meanwhile: console code needs no await.
import { MessagePort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { rpcExchange } from '../../net/rpc-client'

const setUp = z.object({
  target: z.string(),
  flag: z.instanceof(SharedArrayBuffer),
  port: z.instanceof(MessagePort),
})

const { target, flag, port } = setUp.parse(workerData)
const exchange = rpcExchange(target)
const isAnswered = new Int32Array(flag)

port.on('message', (body: unknown) => {
  void answer(String(body)).then((outcome) => {
    port.postMessage(outcome)
    Atomics.store(isAnswered, 0, 1)
    Atomics.notify(isAnswered, 0)
  })
})

async function answer(body: string): Promise<{ readonly text: string } | { readonly fault: string }> {
  try {
    return { text: await exchange(body, new AbortController().signal) }
  } catch (error) {
    return { fault: messageOf(error) }
  }
}
