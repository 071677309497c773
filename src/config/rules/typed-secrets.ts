// Secrets typed on the command line, where the process list shows them to every user of this computer.
import type { ConfigValues } from '../catalog'
import type { Source } from '../resolved-config'

/** The values and their sources. */
export interface TypedSecretsInput {
  readonly sources: Readonly<Record<string, Source>>
  readonly values: Pick<ConfigValues, 'rigs'>
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
  return found
}
