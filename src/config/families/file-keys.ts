// The keys of prlx's configuration file, as `prlx dumpconfig` writes them, and how each is handled.
import { type FileAnswer, type FileKey, type FileKind, networkText, type OurValues } from './file-key'
import { FILES, GAS_PRICE, GRAPHQL, LIGHT, MEMORY, OF_SIGNER, PREFIX, PROMETHEUS, PROOF_OF_WORK } from './reasons'

const LIMITS = 'requests have their own time limits'
const KEYS_MADE = 'keys are created by headframe account and the signer: use --lightkdf there'
const NOT_SAMPLED = 'the suggested price uses 20 blocks, and eth_feeHistory has its own limits'
const NO_INFLUX = 'nothing is sent to InfluxDB; Prometheus reads /metrics on the control port'
const LISTED = "write them to static-nodes.json or trusted-nodes.json in the network's folder of the data directory"

/** Chain ids of the networks that have a name here. */
const NETWORKS: ReadonlyMap<unknown, string> = new Map([
  [2110, 'main'],
  [2111, 'test'],
])

/** Keys in the order of the family's own file. */
export const FILE_KEYS: readonly FileKey[] = [
  ...chainKeys(),
  ...lightKeys(),
  ...cacheKeys(),
  ...minerKeys(),
  ...xhashKeys(),
  ...poolKeys(),
  ...priceKeys(),
  ...nodeKeys(),
  ...rpcKeys(),
  ...peerKeys(),
  ...metricsKeys(),
]

function chainKeys(): readonly FileKey[] {
  const p = (name: string) => `Parallax.${name}`
  return [
    refused(p('Genesis'), 'table', 'pass the genesis file: --genesis FILE'),
    done(p('NetworkId'), 'whole', networkOf),
    refused(p('SyncMode'), 'text', 'every block is executed and verified; full and snap are accepted', [
      'full',
      'snap',
    ]),
    option(p('EthDiscoveryURLs'), 'texts', 'p2p.dnsTrees'),
    option(p('ParallaxDiscoveryURLs'), 'texts', 'p2p.dnsTrees'),
    accepted(p('SnapDiscoveryURLs'), 'texts', 'only EthDiscoveryURLs is used to find nodes', [[]]),
    done(p('NoPruning'), 'switch', (value) => [['chain.gcMode', value === true ? 'archive' : 'full']]),
    accepted(p('TxLookupLimit'), 'whole', 'all transactions are indexed', [0, 52_560]),
    accepted(p('PVMInterpreter'), 'text', 'prlx has dropped it, too', ['']),
    accepted(p('EWASMInterpreter'), 'text', 'prlx has dropped it, too', ['']),
    accepted(p('EnablePreimageRecording'), 'switch', 'preimages are not stored', [false]),
    accepted(p('Preimages'), 'switch', 'preimages are not stored', [false]),
    option(p('RPCGasCap'), 'whole', 'rpc.gasCap'),
    done(p('RPCPVMTimeout'), 'whole', (value) => [['rpc.callTimeoutMs', timeOf(value)]]),
    option(p('RPCTxFeeCap'), 'number', 'accounts.feeCap'),
    refused(p('Checkpoint'), 'table', 'every block is verified, starting at genesis'),
    refused(p('CheckpointOracle'), 'table', 'every block is verified, starting at genesis'),
    refused('ParallaxStats.URL', 'text', PROMETHEUS, ['']),
  ]
}

function lightKeys(): readonly FileKey[] {
  const p = (name: string) => `Parallax.${name}`
  const key = (name: string, type: FileKind, quiet: unknown) => accepted(p(name), type, LIGHT, [quiet])
  return [
    key('LightServ', 'whole', 0),
    key('LightIngress', 'whole', 0),
    key('LightEgress', 'whole', 0),
    key('LightPeers', 'whole', 100),
    key('LightNoPrune', 'switch', false),
    key('LightNoSyncServe', 'switch', false),
    key('SyncFromCheckpoint', 'switch', false),
    key('UltraLightServers', 'texts', []),
    key('UltraLightFraction', 'whole', 75),
    key('UltraLightOnlyAnnounce', 'switch', false),
  ]
}

function cacheKeys(): readonly FileKey[] {
  const key = (name: string, type: FileKind, ...quiet: readonly unknown[]) =>
    accepted(`Parallax.${name}`, type, MEMORY, quiet)
  return [
    key('NoPrefetch', 'switch', false),
    key('DatabaseCache', 'whole', 512),
    accepted('Parallax.DatabaseFreezer', 'text', 'old blocks stay in the data directory', ['']),
    key('TrieCleanCache', 'whole', 154),
    key('TrieCleanCacheJournal', 'text', '', 'triecache'),
    key('TrieCleanCacheRejournal', 'whole', 3_600_000_000_000),
    key('TrieDirtyCache', 'whole', 256),
    key('TrieTimeout', 'whole', 3_600_000_000_000),
    key('SnapshotCache', 'whole', 0, 102),
  ]
}

function minerKeys(): readonly FileKey[] {
  const m = (name: string) => `Parallax.Miner.${name}`
  const asked = 'mining software can poll eth_getWork, or subscribe to newHeads with --ws'
  return [
    option(m('Coinbase'), 'text', 'node.coinbase'),
    refused(m('Notify'), 'texts', asked, [[]]),
    refused(m('NotifyFull'), 'switch', asked, [false]),
    option(m('ExtraData'), 'text', 'node.extraData'),
    accepted(m('GasFloor'), 'whole', 'blocks aim only at GasCeil', [0]),
    option(m('GasCeil'), 'whole', 'node.gasLimit'),
    option(m('GasPrice'), 'whole', 'node.gasPrice'),
    done(m('Recommit'), 'whole', (value) => [['node.recommitMs', timeOf(value)]]),
    accepted(m('Noverify'), 'switch', "checking your own block's seal takes under a millisecond", [false]),
  ]
}

function xhashKeys(): readonly FileKey[] {
  const key = (name: string, type: FileKind, ...quiet: readonly unknown[]) =>
    accepted(`Parallax.XHash.${name}`, type, FILES, quiet)
  return [
    key('CacheDir', 'text', '', 'xhash'),
    key('CachesInMem', 'whole', 2),
    key('CachesOnDisk', 'whole', 3),
    key('CachesLockMmap', 'switch', false),
    // The family's own default is in the home folder.
    key('DatasetDir', 'text', '', /[/\\](\.xhash|XHash)$/),
    key('DatasetsInMem', 'whole', 1),
    key('DatasetsOnDisk', 'whole', 2),
    key('DatasetsLockMmap', 'switch', false),
    refused('Parallax.XHash.PowMode', 'whole', 'use --xhash.mode or --fakepow on the command line', [0]),
    refused('Parallax.XHash.NotifyFull', 'switch', 'mining software can poll eth_getWork', [false]),
  ]
}

function poolKeys(): readonly FileKey[] {
  const t = (name: string) => `Parallax.TxPool.${name}`
  const kept = 'your own transactions are stored in a file of another format: --txpool.journal'
  return [
    option(t('Locals'), 'texts', 'txpool.locals'),
    option(t('NoLocals'), 'switch', 'txpool.noLocals'),
    accepted(t('Journal'), 'text', kept, ['transactions.rlp']),
    done(t('Rejournal'), 'whole', (value) => [['txpool.rejournalMs', timeOf(value)]]),
    option(t('PriceLimit'), 'whole', 'txpool.priceLimit'),
    option(t('PriceBump'), 'whole', 'txpool.priceBump'),
    option(t('AccountSlots'), 'whole', 'txpool.accountSlots'),
    option(t('GlobalSlots'), 'whole', 'txpool.globalSlots'),
    option(t('AccountQueue'), 'whole', 'txpool.accountQueue'),
    option(t('GlobalQueue'), 'whole', 'txpool.globalQueue'),
    done(t('Lifetime'), 'whole', (value) => [['txpool.lifetimeMs', timeOf(value)]]),
  ]
}

function priceKeys(): readonly FileKey[] {
  const key = (name: string, because: string, ...quiet: readonly unknown[]) =>
    accepted(`Parallax.GPO.${name}`, 'whole', because, quiet)
  return [
    key('Blocks', GAS_PRICE, 20),
    key('Percentile', GAS_PRICE, 60),
    key('MaxHeaderHistory', NOT_SAMPLED, 1_024),
    key('MaxBlockHistory', NOT_SAMPLED, 1_024),
    key('Default', GAS_PRICE, 0),
    key('MaxPrice', GAS_PRICE, 500_000_000_000),
    key('IgnorePrice', GAS_PRICE, 2),
  ]
}

function nodeKeys(): readonly FileKey[] {
  const n = (name: string) => `Node.${name}`
  return [
    accepted(n('UserIdent'), 'text', 'peers see the name and version of the program', ['']),
    done(n('DataDir'), 'text', (value) => (value === '' ? [] : [['app.dataDir', value]])),
    done(n('KeyStoreDir'), 'text', keystoreOf),
    option(n('ExternalSigner'), 'text', 'accounts.signer'),
    accepted(n('UseLightweightKDF'), 'switch', KEYS_MADE, [false]),
    refused(n('InsecureUnlockAllowed'), 'switch', 'use --allow-insecure-unlock on the command line', [false]),
    accepted(n('NoUSB'), 'switch', OF_SIGNER, [true, false]),
    accepted(n('USB'), 'switch', OF_SIGNER, [false]),
    accepted(n('SmartCardDaemonPath'), 'text', 'smart cards are not supported', ['', '/run/pcscd/pcscd.comm']),
    done(n('IPCPath'), 'text', (value) => (value === '' ? [['rpc.ipcDisable', true]] : [['rpc.ipcPath', value]])),
    option(n('AllowUnprotectedTxs'), 'switch', 'accounts.allowUnprotected'),
    accepted(n('JWTSecret'), 'text', PROOF_OF_WORK, ['']),
    accepted(n('AuthAddr'), 'text', PROOF_OF_WORK, ['localhost']),
    accepted(n('AuthPort'), 'whole', PROOF_OF_WORK, [8_551]),
    accepted(n('AuthVirtualHosts'), 'texts', PROOF_OF_WORK, [['localhost']]),
  ]
}

function rpcKeys(): readonly FileKey[] {
  const n = (name: string) => `Node.${name}`
  return [
    done(n('HTTPHost'), 'text', (value) => listenerOf(value, 'node.http', 'node.httpAddr')),
    option(n('HTTPPort'), 'whole', 'node.httpPort'),
    option(n('HTTPCors'), 'texts', 'rpc.httpCors'),
    option(n('HTTPVirtualHosts'), 'texts', 'node.httpVhosts'),
    done(n('HTTPModules'), 'texts', (value) => [['rpc.httpApi', value]]),
    refused(n('HTTPPathPrefix'), 'text', PREFIX, ['']),
    accepted(n('HTTPTimeouts.ReadTimeout'), 'whole', LIMITS, [30_000_000_000]),
    accepted(n('HTTPTimeouts.WriteTimeout'), 'whole', LIMITS, [30_000_000_000]),
    accepted(n('HTTPTimeouts.IdleTimeout'), 'whole', LIMITS, [120_000_000_000]),
    done(n('WSHost'), 'text', (value) => listenerOf(value, 'rpc.ws', 'rpc.wsAddr')),
    option(n('WSPort'), 'whole', 'rpc.wsPort'),
    option(n('WSOrigins'), 'texts', 'rpc.wsOrigins'),
    done(n('WSModules'), 'texts', (value) => [['rpc.wsApi', value]]),
    refused(n('WSExposeAll'), 'switch', 'list the namespaces: --ws.api', [false]),
    refused(n('WSPathPrefix'), 'text', PREFIX, ['']),
    accepted(n('GraphQLCors'), 'texts', GRAPHQL, [[]]),
    accepted(n('GraphQLVirtualHosts'), 'texts', GRAPHQL, [['localhost']]),
  ]
}

function peerKeys(): readonly FileKey[] {
  const p = (name: string) => `Node.P2P.${name}`
  return [
    option(p('MaxPeers'), 'whole', 'p2p.maxPeers'),
    accepted(p('MaxPendingPeers'), 'whole', 'unfinished handshakes have their own limit', [0]),
    accepted(p('DialRatio'), 'whole', 'a third of the peers are dialed', [0, 3]),
    option(p('NoDiscovery'), 'switch', 'p2p.noDiscover'),
    accepted(p('DiscoveryV5'), 'switch', 'discovery uses version 4', [false]),
    done(p('BootstrapNodes'), 'texts', (value) => [['p2p.bootnodes', value]]),
    accepted(p('BootstrapNodesV5'), 'texts', 'discovery uses version 4', [[]]),
    refused(p('StaticNodes'), 'texts', LISTED, [[]]),
    refused(p('TrustedNodes'), 'texts', LISTED, [[]]),
    done(p('NetRestrict'), 'networks', networksOf),
    accepted(p('NodeDatabase'), 'text', 'known nodes are kept in the data directory', ['']),
    done(p('ListenAddr'), 'text', listenAddressOf),
    refused(p('NAT'), 'text', 'use --nat on the command line'),
    refused(p('NoDial'), 'switch', 'use --netrestrict, or --maxpeers 0 for no peers at all', [false]),
    accepted(p('EnableMsgEvents'), 'switch', 'admin_peerEvents is not available', [false]),
  ]
}

function metricsKeys(): readonly FileKey[] {
  const m = (name: string) => `Metrics.${name}`
  return [
    accepted(m('Enabled'), 'switch', PROMETHEUS, [false]),
    accepted(m('EnabledExpensive'), 'switch', PROMETHEUS, [false]),
    refused(m('HTTP'), 'text', PROMETHEUS, ['', '127.0.0.1']),
    refused(m('Port'), 'whole', PROMETHEUS, [6_060]),
    refused(m('EnableInfluxDB'), 'switch', PROMETHEUS, [false]),
    refused(m('EnableInfluxDBV2'), 'switch', PROMETHEUS, [false]),
    accepted(m('InfluxDBEndpoint'), 'text', NO_INFLUX, ['', 'http://localhost:8086']),
    accepted(m('InfluxDBDatabase'), 'text', NO_INFLUX, ['', 'prlx']),
    accepted(m('InfluxDBUsername'), 'text', NO_INFLUX, ['', 'test']),
    accepted(m('InfluxDBPassword'), 'text', NO_INFLUX, ['', 'test']),
    accepted(m('InfluxDBTags'), 'text', NO_INFLUX, ['', 'host=localhost']),
    accepted(m('InfluxDBToken'), 'text', NO_INFLUX, ['', 'test']),
    accepted(m('InfluxDBBucket'), 'text', NO_INFLUX, ['', 'prlx']),
    accepted(m('InfluxDBOrganization'), 'text', NO_INFLUX, ['', 'prlx']),
  ]
}

/** The only way this file can name a network; it doesn't contain the genesis block. */
function networkOf(value: unknown): OurValues {
  const name = NETWORKS.get(value)
  if (name !== undefined) return [['app.network', name]]
  return [
    ['app.network', 'custom'],
    ['app.networkId', value],
  ]
}

function networksOf(value: unknown): OurValues {
  const networks = Array.isArray(value) ? value.map(networkText) : []
  return networks.length === 0 ? [] : [['p2p.netRestrict', networks]]
}

function keystoreOf(value: unknown): OurValues {
  if (value === '') return []
  return [
    ['keystore.folder', value],
    ['signer.keystore', value],
  ]
}

/** An empty host disables the listener. */
function listenerOf(host: unknown, isOn: string, address: string): OurValues {
  if (host === '') return [[isOn, false]]
  return [
    [isOn, true],
    [address, host],
  ]
}

/** `:32110`, `1.2.3.4:32110`, `[::1]:32110`; anything else is left for the port's own validation to report. */
function listenAddressOf(value: unknown): OurValues {
  const [, host = '', port] = /^(.*):(\d{1,5})$/.exec(String(value)) ?? []
  if (port === undefined) return [['p2p.port', value]]
  const ofPort = ['p2p.port', Number(port)] as const
  return host === '' ? [ofPort] : [ofPort, ['p2p.addr', host]]
}

/** Nanoseconds as a time of our own file. */
function timeOf(nanoseconds: unknown): string {
  const ms = Number(nanoseconds) / 1_000_000
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`
}

/** An empty text or list leaves the option at its default. */
function option(key: string, type: FileKind, ours: string): FileKey {
  const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)
  return done(key, type, (value) => (isEmpty(value) ? [] : [[ours, value]]))
}

function done(key: string, type: FileKind, read: (value: unknown) => OurValues): FileKey {
  return row(key, type, { kind: 'done', read })
}

function accepted(key: string, type: FileKind, because: string, quiet: readonly unknown[]): FileKey {
  return row(key, type, { kind: 'accepted', because, quiet })
}

function refused(key: string, type: FileKind, instead: string, quiet: readonly unknown[] = []): FileKey {
  return row(key, type, { kind: 'refused', instead, quiet })
}

function row(key: string, type: FileKind, answer: FileAnswer): FileKey {
  return { key, type, answer }
}
