// Methods of prlx's namespaces that we lack, with the reason for each.
import { refusedMethods } from '../dispatch/method'

const RUNTIME = 'this program has no Go runtime: /metrics reports memory and delays'
const PROFILES = 'Node writes profiles: start with NODE_OPTIONS=--cpu-prof or --heap-prof'
const FILES = "callers can't make the node read or write trace files"
const LISTENERS = 'listeners are set by options (--http, --ws), so no caller can open the node to others'
const LOG = 'the option --log.level sets what is logged'

export const refusedNamespace = {
  ...refusedMethods(LISTENERS, ['admin_startHTTP', 'admin_startRPC', 'admin_startWS']),
  ...refusedMethods(LISTENERS, ['admin_stopHTTP', 'admin_stopRPC', 'admin_stopWS']),
  ...refusedMethods(RUNTIME, ['debug_freeOSMemory', 'debug_gcStats', 'debug_memStats', 'debug_setGCPercent']),
  ...refusedMethods(RUNTIME, ['debug_goTrace', 'debug_startGoTrace', 'debug_stopGoTrace', 'debug_stacks']),
  ...refusedMethods(RUNTIME, ['debug_blockProfile', 'debug_setBlockProfileRate', 'debug_writeBlockProfile']),
  ...refusedMethods(RUNTIME, ['debug_mutexProfile', 'debug_setMutexProfileFraction', 'debug_writeMutexProfile']),
  ...refusedMethods(PROFILES, ['debug_cpuProfile', 'debug_startCPUProfile', 'debug_stopCPUProfile']),
  ...refusedMethods(PROFILES, ['debug_writeMemProfile']),
  ...refusedMethods(LOG, ['debug_backtraceAt', 'debug_verbosity', 'debug_vmodule']),
  ...refusedMethods(`${FILES}: debug_traceBlockByHash streams the same steps`, ['debug_standardTraceBlockToFile']),
  ...refusedMethods(`${FILES}: debug_traceBadBlock streams the same steps`, ['debug_standardTraceBadBlockToFile']),
  ...refusedMethods(`${FILES}: debug_traceBlock takes the block's bytes`, ['debug_traceBlockFromFile']),
  ...refusedMethods(
    'the database uses its own keys; debug_getHeaderRlp, debug_getBlockRlp and debug_getRawReceipts return blocks',
    ['debug_dbGet'],
  ),
  ...refusedMethods('there is no separate store for old blocks', ['debug_dbAncient', 'debug_dbAncients']),
  ...refusedMethods('the database compacts itself as it runs', ['debug_chaindbCompact', 'debug_chaindbProperty']),
  ...refusedMethods("preimages aren't recorded; debug_accountRange names accounts and slots that exist", [
    'debug_preimage',
  ]),
  ...refusedMethods('it prints Go structures; use eth_getBlockByNumber or debug_getBlockRlp', ['debug_printBlock']),
  ...refusedMethods('eth_subscribe with "syncing" reports the same', ['eth_subscribeSyncStatus']),
}

/** prlx's subscriptions outside `eth`, by namespace and name. */
export const REFUSED_SUBSCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['admin.peerEvents', "peer events aren't pushed: call admin_peers"],
  ['debug.traceChain', 'blocks are traced one at a time: debug_traceBlockByNumber'],
])
