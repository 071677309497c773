// Which options are on which page of the settings, and which of them are shown first.
import type { OptionSectionView, OptionView } from '../../../../contract/options'
import type { OptionWords } from '../../i18n/option-words'

/** In the order of the list at the side. */
export const pages = [
  'general',
  'mining',
  'pools',
  'node',
  'signer',
  'api',
  'notifications',
  'accessibility',
  'updates',
  'about',
] as const
export type PageName = (typeof pages)[number]

/** The page for a section of the config file; unknown ones go under General, so that none is lost. */
const PAGE_OF_SECTION: Readonly<Record<string, PageName>> = {
  desktop: 'general',
  miner: 'mining',
  gpu: 'mining',
  tuning: 'mining',
  money: 'mining',
  alerts: 'notifications',
  pool: 'pools',
  rigs: 'pools',
  stratum: 'pools',
  chain: 'node',
  node: 'node',
  p2p: 'node',
  rpc: 'node',
  txpool: 'node',
  signer: 'signer',
  keystore: 'signer',
  accounts: 'signer',
  api: 'api',
  update: 'updates',
}

/** Options that belong on another page than the rest of their section. */
const PAGE_OF_OPTION: Readonly<Record<string, PageName>> = {
  'app.network': 'node',
  'app.genesis': 'node',
  'app.networkId': 'node',
  'app.xhashMode': 'node',
  'desktop.notify': 'notifications',
  'desktop.quietHours': 'notifications',
}

/** What a page shows first; the rest of a section is behind "more". */
const SEEN_FIRST: readonly string[] = [
  ...[
    'desktop.autostart',
    'desktop.closeToTray',
    'desktop.notify',
    'desktop.quietHours',
    'app.logLevel',
    'app.welcome',
  ],
  ...['miner.devices', 'miner.cpu', 'miner.cpuThreads', 'miner.tstop', 'miner.tstart', 'miner.schedule'],
  ...['gpu.opencl', 'gpu.cuda'],
  ...['pool.urls', 'pool.failoverMinutes', 'pool.reportHashrate', 'rigs.list', 'rigs.intervalSeconds', 'stratum.bind'],
  ...['app.network', 'chain.gcMode', 'node.coinbase', 'node.mine', 'node.http', 'node.httpAddr', 'node.httpPort'],
  ...['p2p.port', 'p2p.maxPeers', 'p2p.nat', 'rpc.httpApi', 'rpc.httpCors', 'rpc.ws', 'txpool.priceLimit'],
  ...['keystore.folder', 'signer.approvalTimeoutSeconds', 'signer.rules', 'signer.strict', 'signer.usb', 'signer.http'],
  ...['accounts.feeCap', 'api.bind', 'api.allowControl', 'api.hosts', 'update.check', 'update.url'],
]

/** Names from older addresses, and of the config file's sections. */
const OTHER_NAMES: Readonly<Record<string, PageName>> = {
  ...PAGE_OF_SECTION,
  appearance: 'general',
  app: 'general',
}

export interface OptionGroup {
  readonly name: string
  /** As the program calls it. */
  readonly title: string
  readonly first: readonly OptionView[]
  readonly more: readonly OptionView[]
}

/** Null if no page has this name. */
export function pageOf(name: string): PageName | null {
  return pages.find((page) => page === name) ?? OTHER_NAMES[name] ?? null
}

export function groupsOf(page: PageName, sections: readonly OptionSectionView[]): readonly OptionGroup[] {
  return sections
    .map(({ name, title, options }) => {
      const here = options.filter(({ key }) => pageOfOption(key, name) === page)
      const isFirst = ({ key }: OptionView): boolean => SEEN_FIRST.includes(key)
      const first = here.filter(isFirst)
      // a section without marked options is short or new: all of it is shown
      const rest = here.filter((option) => !isFirst(option))
      return { name, title, first: first.length === 0 ? rest : first, more: first.length === 0 ? [] : rest }
    })
    .filter(({ first }) => first.length > 0)
    .sort((a, b) => rank(a.name) - rank(b.name))
}

/** The options whose name, help or flag contains all of these words. */
export function groupsWith(
  search: string,
  sections: readonly OptionSectionView[],
  tell: (option: OptionView) => Pick<OptionWords, 'label' | 'help'>,
): readonly OptionGroup[] {
  const words = search.toLocaleLowerCase().split(/\s+/)
  const isMeant = (option: OptionView): boolean => {
    const { label, help } = tell(option)
    const text = [label, help, `--${option.flag}`].join(' ').toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  }
  return sections
    .map(({ name, title, options }) => ({ name, title, first: options.filter(isMeant), more: [] }))
    .filter(({ first }) => first.length > 0)
}

/** The window's options come before the rest of the program; otherwise the config file's order stays. */
function rank(section: string): number {
  return section === 'desktop' ? 0 : 1
}

function pageOfOption(key: string, section: string): PageName {
  return PAGE_OF_OPTION[key] ?? PAGE_OF_SECTION[section] ?? 'general'
}

/** Parts of the program that a change stops for a moment, by the option's section. */
export const parts = ['miner', 'node', 'signer', 'port', 'program'] as const
export type PartName = (typeof parts)[number]

const PART_OF_SECTION: Readonly<Record<string, PartName>> = {
  miner: 'miner',
  gpu: 'miner',
  pool: 'miner',
  rigs: 'miner',
  chain: 'node',
  node: 'node',
  p2p: 'node',
  rpc: 'node',
  txpool: 'node',
  signer: 'signer',
  keystore: 'signer',
  accounts: 'node',
  api: 'port',
}

/** The part that has to restart for this option; null if it takes effect immediately. */
export function partOf({ key, applies }: Pick<OptionView, 'key' | 'applies'>): PartName | null {
  if (applies === 'live') return null
  if (applies === 'process') return 'program'
  return PART_OF_SECTION[key.split('.')[0] ?? ''] ?? 'program'
}
