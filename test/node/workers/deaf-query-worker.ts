// The query worker, deaf to everything once it gets a call with `DEAF_GAS`: like one whose engine is caught in a single
// instruction.
import { workerEnvironment } from '../../../src/host/workers/worker-environment'
import { serveQuery } from '../../../src/node/query/serve-query'
import { DEAF_GAS } from './deaf-gas'

function isDeafening(message: unknown): boolean {
  const text = JSON.stringify(message, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
  return text.includes(`"gas":"${DEAF_GAS}n"`)
}

const { transport, clock, log, searchFrom } = workerEnvironment()
const deafening = {
  ...transport,
  onMessage: (listener: (message: unknown) => void) =>
    transport.onMessage((message) => {
      while (isDeafening(message));
      listener(message)
    }),
}
serveQuery(deafening, { clock, log, searchFrom })
