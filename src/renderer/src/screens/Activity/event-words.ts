// What happened, as a sentence: the program logs fixed phrases with named values; people read sentences. Anything
// without a sentence here is shown in the program's own words.
import type { ActivityView } from '../../../../contract/app'
import type { Text, TextKey, TextValues } from '../../i18n/text'
import type { DeviceNamer } from '../../widgets/devices/device-names'

export const eventKinds = ['miner', 'pool', 'node', 'signer', 'rigs', 'program'] as const
export type EventKind = (typeof eventKinds)[number]

/** First parts of module names. */
const kindsOfModules: Readonly<Record<string, EventKind>> = {
  miner: 'miner',
  sensors: 'miner',
  xhash: 'miner',
  pool: 'pool',
  node: 'node',
  chain: 'node',
  p2p: 'node',
  rpc: 'node',
  query: 'node',
  signer: 'signer',
  rules: 'signer',
  rigs: 'rigs',
  monitor: 'rigs',
}

export function kindOf({ module, message }: Pick<ActivityView, 'module' | 'message'>): EventKind {
  if (/^(?:pool|message from the pool|saved shares)\b/.test(message)) return 'pool'
  return kindsOfModules[module.split('.')[0] ?? ''] ?? 'program'
}

type EventKey = Extract<TextKey, `ui.event.${string}`>

/** By the program's phrase: the sentence, and the values it needs. */
const sentences: Readonly<Record<string, { readonly key: EventKey; readonly needs: readonly string[] }>> = {
  'block mined': { key: 'ui.event.mined', needs: ['number', 'transactions'] },
  'side block mined: another at its height came first': { key: 'ui.event.minedBeside', needs: ['number'] },
  'chain reorganized': { key: 'ui.event.reorganised', needs: ['removed', 'added'] },
  'chain opened': { key: 'ui.event.chainOpened', needs: ['head'] },
  synced: { key: 'ui.event.synchronised', needs: ['blocks', 'head'] },
  'sync waits: the disk is nearly full': { key: 'ui.event.diskFull', needs: [] },
  'JSON-RPC is served': { key: 'ui.event.rpc', needs: ['host', 'port'] },
  'peers can connect': { key: 'ui.event.peers', needs: ['port'] },
  'port opened at the router': { key: 'ui.event.router', needs: ['externalPort'] },
  'pool connected': { key: 'ui.event.poolConnected', needs: ['pool'] },
  'pool connection lost': { key: 'ui.event.poolLost', needs: ['pool', 'reason'] },
  'pool not reached': { key: 'ui.event.poolNotReached', needs: ['pool', 'reason'] },
  'pool refused': { key: 'ui.event.poolRefused', needs: ['pool', 'reason'] },
  'pool switched': { key: 'ui.event.poolSwitched', needs: ['host'] },
  'pool trouble': { key: 'ui.event.poolTrouble', needs: ['pool', 'reason'] },
  'pool left': { key: 'ui.event.poolLeft', needs: ['pool', 'reason'] },
  'logging in again': { key: 'ui.event.poolAgain', needs: ['pool', 'reason'] },
  'message from the pool': { key: 'ui.event.poolMessage', needs: ['text'] },
  'building DAG': { key: 'ui.event.building', needs: ['device', 'epoch'] },
  'DAG ready': { key: 'ui.event.built', needs: ['device', 'epoch'] },
  'next DAG ready': { key: 'ui.event.builtNext', needs: ['device', 'epoch'] },
  'device is too hot, pausing it': { key: 'ui.event.hot', needs: ['device'] },
  'device has cooled down': { key: 'ui.event.cooled', needs: ['device'] },
  'restarting device': { key: 'ui.event.restarted', needs: ['device', 'reason'] },
  'device keeps failing and stays off': { key: 'ui.event.staysOff', needs: ['device', 'reason'] },
  'device returned a wrong result': { key: 'ui.event.wrong', needs: ['device'] },
  'device could not build its DAG': { key: 'ui.event.notBuilt', needs: ['device', 'error'] },
  'device is not responding, abandoning it': { key: 'ui.event.leftBehind', needs: ['device'] },
  'sensors lost': { key: 'ui.event.sensorsLost', needs: ['device'] },
  'GPU work sizes tuned': { key: 'ui.event.tuned', needs: ['device'] },
  'restarting devices': { key: 'ui.event.restarting', needs: [] },
  'simulated devices added': { key: 'ui.event.simulated', needs: ['count'] },
  'difficulty too low for these devices, solutions are dropped': { key: 'ui.event.tooEasy', needs: [] },
  'signer is ready': { key: 'ui.event.signerReady', needs: ['accounts'] },
  'request settled': { key: 'ui.event.settled', needs: ['kind', 'state'] },
  'request refused automatically': { key: 'ui.event.refused', needs: ['method', 'caller', 'reason'] },
  'vault stays locked: no stored passwords and no rules': { key: 'ui.event.vaultClosed', needs: ['reason'] },
  'practice account created': { key: 'ui.event.practice', needs: ['address'] },
  'service failed': { key: 'ui.event.failed', needs: ['service', 'reason'] },
  'restarting service after its worker was lost': { key: 'ui.event.startedAgain', needs: ['service'] },
  'control port open': { key: 'ui.event.controlPort', needs: ['host', 'port'] },
  'power state changed': { key: 'ui.event.power', needs: ['state'] },
  'a link was ignored': { key: 'ui.event.link', needs: ['reason'] },
  ready: { key: 'ui.event.ready', needs: ['network'] },
}

interface EventWords {
  readonly sentence: string
  /** Fields that the sentence doesn't mention. */
  readonly rest: ActivityView['fields']
}

/** Most events name a device by its index, some by its name. */
export function wordsOf({ message, fields }: ActivityView, t: Text, nameOf: DeviceNamer): EventWords {
  const known = sentences[message]
  const values: TextValues = Object.fromEntries(fields.map(({ name, value }) => [name, plainValue(name, value)]))
  if (known === undefined || !known.needs.every((name) => name in values && values[name] !== 'null'))
    return { sentence: `${message.charAt(0).toUpperCase()}${message.slice(1)}`, rest: fields }
  const { device } = values
  return {
    sentence: t(known.key, { ...values, ...(typeof device === 'number' ? { device: nameOf({ index: device }) } : {}) }),
    rest: fields.filter(({ name, value }) => !known.needs.includes(name) && value !== 'null'),
  }
}

/**
 * Whole numbers become numbers, so that a sentence can use plurals; states lose their hyphens, which choice names can't
 * have.
 */
function plainValue(name: string, text: string): string | number {
  if (name === 'state') return text.replace(/-/g, '_')
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}
