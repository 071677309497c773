// The rules worker's side: one interpreter, questions in sequence.
import type { Logger } from '../../base/logger'
import type { Clock, ThreadTime } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { serveWire, trustedPeer, type WireServer } from '../../base/wire/server'
import { type RulesWire, rulesWire } from './rules-wire'
import { ScriptEngine } from './script-engine'

/** Answers `rulesWire` on `transport`. @param deps.cpuMs CPU time of this thread; null = unknown */
export function serveRules(
  transport: Transport,
  deps: { readonly log: Logger; readonly clock: Clock; readonly cpuMs: ThreadTime },
): WireServer<RulesWire> {
  const engine = new ScriptEngine(deps.clock, deps.cpuMs)
  return serveWire(
    rulesWire,
    transport,
    {
      ready: async () => void (await engine.load()),
      evaluate: (task) => engine.evaluate(task),
    },
    { log: deps.log, deny: trustedPeer },
  )
}
