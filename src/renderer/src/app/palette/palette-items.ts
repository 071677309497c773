// Where the command palette can go: screens, devices, pools, rigs, accounts, and any place on the chain that was typed.
import type { Text } from '../../i18n/text'
import { activityTabs, type NavItem, type NavName, nodeTabs } from '../../navigation/routes'
import { readSearch } from '../../screens/Node/blocks/search'
import type { MinerState } from '../../state/stores/miner-store'
import type { OperationState } from '../../state/stores/operation-store'
import type { SignerState } from '../../state/stores/signer-store'

export interface PaletteItem {
  readonly id: string
  readonly group: 'actions' | 'chain' | 'places' | 'screens' | 'devices' | 'pools' | 'rigs' | 'accounts'
  readonly title: string
  /** Where it leads; a hash has to be looked up first. */
  readonly target: { readonly path: string } | { readonly hash: string } | { readonly run: () => void }
  /** What it does or stops, in a few words. */
  readonly hint?: string
}

interface PaletteSource {
  readonly items: readonly NavItem[]
  readonly miner: MinerState
  readonly operation: OperationState
  readonly signer: SignerState
}

/** Everything that has a name; cheap enough to build each time the palette opens. */
export function paletteItems({ items, miner, operation, signer }: PaletteSource, t: Text): readonly PaletteItem[] {
  const hasNode = items.some(({ name }) => name === 'node')
  return [
    ...items.map(({ name, path }) => item('screens', name, t(`ui.nav.${name}`), path)),
    ...(miner.devices?.devices ?? []).map(({ index, name }) =>
      item('devices', String(index), t('ui.gpus.targetName', { index, name }), `/gpus/${index}`),
    ),
    ...(operation.pools?.pools ?? []).map(({ index, host }) => item('pools', String(index), host, '/pools')),
    ...(operation.rigs?.rigs ?? [])
      .filter(({ local }) => !local)
      .map(({ name }) => item('rigs', name, name, `/rigs/${encodeURIComponent(name)}`)),
    ...(signer.accounts?.accounts ?? []).map(({ address }) =>
      item('accounts', address, address, `/accounts/${address}`),
    ),
    ...(hasNode ? nodeTabs : []).map((tab) =>
      item(
        'places',
        `node-${tab}`,
        partTitle('node', t(`ui.node.tab.${tab}`), t),
        tab === 'sync' ? '/node' : `/node/${tab}`,
      ),
    ),
    ...activityTabs
      .filter((tab) => tab !== 'events')
      .map((tab) =>
        item('places', `activity-${tab}`, partTitle('activity', t(`ui.activity.tab.${tab}`), t), `/activity/${tab}`),
      ),
  ]
}

/** The place on the chain that `text` names, or null. */
export function chainItem(text: string, t: Text): PaletteItem | null {
  const found = readSearch(text)
  if (found === null) return null
  const target = found.kind === 'page' ? { path: found.path } : { hash: found.hash }
  return { id: 'chain', group: 'chain', title: t('ui.palette.chain', { text: text.trim() }), target }
}

function item(group: PaletteItem['group'], id: string, title: string, path: string): PaletteItem {
  return { id: `${group}-${id}`, group, title, target: { path } }
}

/** Screen and part, so that a search for either finds it. */
function partTitle(screen: NavName, part: string, t: Text): string {
  return `${t(`ui.nav.${screen}`)}: ${part}`
}
