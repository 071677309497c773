// pool test URL: what the pool doctor finds, from a terminal or a script.
import { visibleText } from '../../base/language/visible-text'
import { ConfigError } from '../../config/errors'
import { type PoolFinding, testPool } from '../../host/miner/test-pool'
import type { CliCall } from '../call'
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes'
import { configOf } from '../load-config'
import { untilSignal } from '../stop-signals'
import { depsOf } from '../trades-of-call'

const ACCEPTED = 'test URL'

/** Exits with 1 when the pool can't be used. @throws ConfigError CONFIG_UNEXPECTED_WORD, CONFIG_VALUE_INVALID */
export async function runPool(call: CliCall): Promise<number> {
  const { parsed, world } = call
  const [action, word, ...rest] = parsed.words
  const unexpected = action !== 'test' ? (action ?? '') : rest[0]
  if (unexpected !== undefined)
    throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word: unexpected, command: 'pool', accepted: ACCEPTED })
  // A password doesn't belong on a command line: - asks for the address.
  const text = word === '-' ? await world.askSecret('Pool address: ') : word
  if (text === undefined || text === null || text === '')
    throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word: '', command: 'pool', accepted: ACCEPTED })
  const { platform } = world
  const config = configOf(call)
  const found = await untilSignal(world, (signal) => testPool(text, depsOf(config, platform, 'error'), signal))
  for (const line of parsed.json ? [JSON.stringify(found)] : sentences(found)) platform.standardOutput(line)
  return found.ok ? EXIT_DONE : EXIT_FAILED
}

function sentences(found: PoolFinding): readonly string[] {
  if (!found.ok) return [`${found.host}: ${visibleText(found.text)}`]
  const { host, dialect, latencyMs, height, epoch, difficulty } = found
  const answers = latencyMs === null ? '' : `, answers in ${Math.round(latencyMs)} ms`
  const job = `job of ${height === null ? '' : `height ${height}, `}epoch ${epoch}, share difficulty ${difficulty}`
  return [`${host}: works, dialect ${dialect}${answers}`, job]
}
