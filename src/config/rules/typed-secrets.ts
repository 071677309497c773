// Secrets typed on the command line, where the process list shows them to every user of this computer.
import type { ConfigValues } from '../catalog'
import type { Source } from '../resolved-config'
import { parseAlertSink } from '../values/alert-sink'
import { fieldsOf } from '../values/pool-url'

/** The values and their sources. */
export interface TypedSecretsInput {
  readonly sources: Readonly<Record<string, Source>>
  readonly values: Pick<ConfigValues, 'rigs' | 'pool' | 'alerts'>
}

/** A warning for each, naming the private way to pass it. */
export function typedSecrets({ sources, values }: TypedSecretsInput): readonly string[] {
  const isTyped = (key: string): boolean => sources[key]?.kind === 'command line'
  const found: string[] = []
  const warn = (what: string, instead: string): void => {
    found.push(`${what} can be read by other users of this computer: prefer ${instead}`)
  }
  if (isTyped('api.token')) warn('--api-token', '--api-token-file')
  if (isTyped('stratum.token')) warn('--stratum-token', '--stratum-token-file')
  if (isTyped('p2p.nodeKeyHex')) warn('--nodekeyhex', '--nodekey FILE or HEADFRAME_NODEKEYHEX')
  if (isTyped('rigs.list') && values.rigs.list.some((rig) => rig.reveal().includes('#')))
    warn('tokens in --rig', '--rig-file')
  if (isTyped('alerts.to') && values.alerts.to.some((sink) => isSecretSink(sink.reveal())))
    warn('secrets in --alert', IN_FILE)
  const { urls, password, proxy } = values.pool
  if (isTyped('pool.urls') && urls.some((url) => isPassword(fieldsOf(url.reveal())?.password ?? '')))
    warn('a password in -P', IN_FILE)
  if (isTyped('pool.password') && password?.some((each) => isPassword(each.reveal())) === true)
    warn('--pool-password', IN_FILE)
  if (isTyped('pool.proxy') && proxy?.some((each) => each.reveal().includes('@')) === true)
    warn('a password in --pool-proxy', IN_FILE)
  return found
}

const IN_FILE = 'the config file'

/** What most pools want in place of a password. */
function isPassword(text: string): boolean {
  return text !== '' && text.toLowerCase() !== 'x'
}

/** Who knows a webhook or a topic can send to it, or read it. */
function isSecretSink(text: string): boolean {
  const outcome = parseAlertSink(text)
  if (!('sink' in outcome) || outcome.sink.kind === 'command') return false
  return outcome.sink.kind !== 'email' || outcome.sink.password !== null
}
