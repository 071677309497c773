// Made-up but well-formed values of the contract, for tests and stories; every field can be replaced.
import type { AppInfoView } from '../../../contract/app'
import type { DeviceView, MinerStatusView } from '../../../contract/miner'
import type { PeerView, SyncView } from '../../../contract/network'
import type { BalanceView, BlockRowView, NodeHeadView } from '../../../contract/node'
import type { RequestView, TransactionRequestView } from '../../../contract/signer'

export const OWN_ADDRESS = '0x52908400098527886e0f7030069857d2e4169ee7'
export const OTHER_ADDRESS = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const LAX = 10n ** 18n

/** 32 bytes as text, every digit the same. */
export function hashOf(digit: string): string {
  return `0x${digit.repeat(64)}`
}

export function anInfo(change: Partial<AppInfoView> = {}): AppInfoView {
  return {
    version: '0.1.0',
    network: 'practice',
    chainId: 1337,
    networkId: 1337,
    headless: true,
    startedAt: 1_700_000_000_000,
    dataDir: '/data/headframe',
    welcome: false,
    access: { control: true, approve: true },
    canSignIn: false,
    engine: { kind: 'native', simd: 'avx2', loadError: null },
    endpoints: { api: '127.0.0.1:3333', rpc: '127.0.0.1:8545', signer: '127.0.0.1:8550' },
    ...change,
  }
}

export function aDevice(change: Partial<DeviceView> = {}): DeviceView {
  return {
    index: 0,
    name: 'AMD EPYC 7B13',
    pci: '',
    backend: 'cpu',
    threads: 1,
    state: 'mining',
    progress: null,
    hashrate: { now: 14_230, s60: 14_100, m15: 13_950 },
    shares: { accepted: 42, rejected: 0, failed: 0 },
    paused: false,
    pauseReasons: [],
    canResume: false,
    error: '',
    restarts: 0,
    pauseEndsAt: null,
    temperature: { core: null, hotspot: null, memory: null },
    fanPercent: null,
    powerWatts: null,
    meanPowerWatts: null,
    powerLimitWatts: null,
    clockMhz: { core: null, memory: null },
    datasetBytes: 16_776_896,
    takenAt: 1_700_000_000_000,
    ...change,
  }
}

/** A card that reports everything but its memory temperature. */
export function aGpu(index: number, change: Partial<DeviceView> = {}): DeviceView {
  return aDevice({
    index,
    name: 'NVIDIA GeForce RTX 3070',
    pci: `0${index + 1}:00.0`,
    backend: 'cuda',
    threads: null,
    hashrate: { now: 58_940_000, s60: 59_010_000, m15: 58_700_000 },
    temperature: { core: 61, hotspot: 74, memory: null },
    fanPercent: 64,
    powerWatts: 115.2,
    meanPowerWatts: 115.2,
    powerLimitWatts: 130,
    clockMhz: { core: 1410, memory: 7001 },
    datasetBytes: 1_073_739_904,
    ...change,
  })
}

export function aStatus(change: Partial<MinerStatusView> = {}): MinerStatusView {
  return {
    state: 'running',
    uptimeSeconds: 754,
    hashrate: { now: 14_230, s60: 14_100, m15: 13_950, effective: 13_600 },
    shares: { accepted: 42, rejected: 0, failed: 0 },
    source: {
      kind: 'solo',
      connected: true,
      host: '',
      url: '',
      difficulty: 71_300,
      epoch: 0,
      height: 43,
      switches: 0,
      warning: '',
      diagnosis: null,
    },
    lastProof: { at: 1_700_000_000_000 - 4000, device: 0 },
    expectedSinceProof: 0.8,
    takenAt: 1_700_000_000_000,
    ...change,
  }
}

export function aBlock(number: number, change: Partial<BlockRowView> = {}): BlockRowView {
  const digits = number.toString(16).padStart(4, '0')
  return {
    number,
    hash: `0x${digits.repeat(16)}`,
    parentHash: `0x${(number - 1).toString(16).padStart(4, '0').repeat(16)}`,
    time: 1_700_000_000_000 - 3000,
    miner: OWN_ADDRESS,
    difficulty: '71300',
    gasUsed: 21_000,
    gasLimit: 30_000_000,
    transactionCount: 1,
    sizeBytes: 714,
    subsidy: String(50n * LAX),
    ...change,
  }
}

export function aHead(change: Partial<NodeHeadView> = {}): NodeHeadView {
  return {
    state: 'running',
    head: aBlock(42),
    totalDifficulty: '2994600',
    peers: null,
    pending: 0,
    queued: 0,
    targetSpacingSeconds: 5,
    nextDifficulty: '71420',
    coinbase: OWN_ADDRESS,
    maturityBlocks: 10,
    takenAt: 1_700_000_000_000,
    ...change,
  }
}

export function aBalance(change: Partial<BalanceView> = {}): BalanceView {
  return {
    address: OWN_ADDRESS,
    available: String(1_001_600n * LAX),
    locked: String(500n * LAX),
    nextUnlock: { height: 43, amount: String(50n * LAX) },
    nonce: 3,
    ...change,
  }
}

export function aTransaction(change: Partial<TransactionRequestView> = {}): TransactionRequestView {
  return {
    from: OWN_ADDRESS,
    to: OTHER_ADDRESS,
    value: '12500000000000000001',
    gas: '21000',
    gasPrice: '1000000000',
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    nonce: '3',
    data: '0x',
    chainId: 1337,
    form: 'legacy',
    accessList: null,
    maximumFee: '21000000000000',
    maximumTotal: '12500021000000000001',
    call: null,
    raw: '{"from":"0x52908400098527886e0f7030069857d2e4169ee7"}',
    ...change,
  }
}

export function aRequest(change: Partial<RequestView> = {}): RequestView {
  return {
    id: 'request-1',
    nonce: 'nonce-1',
    contentHash: 'content-1',
    kind: 'signTransaction',
    state: 'waiting',
    caller: {
      transport: 'http',
      remote: '127.0.0.1:50412',
      local: '127.0.0.1:8550',
      userAgent: 'rig-tools/1.4',
      origin: '',
      process: null,
    },
    createdAt: 1_700_000_000_000,
    expiresAt: null,
    lastError: '',
    triesLeft: 3,
    transaction: aTransaction(),
    data: null,
    accounts: null,
    findings: [],
    ...change,
  }
}

export function aSync(change: Partial<SyncView> = {}): SyncView {
  return {
    phase: 'importing',
    startingBlock: 0,
    currentBlock: 500,
    highestBlock: 1_000,
    headersDone: 1_000,
    bodiesDone: 600,
    blocksPerSecond: 214.4,
    gasPerSecond: 12_300_000,
    remaining: { least: 80, most: 95 },
    peersUsed: 2,
    peer: '1'.repeat(128),
    takenAt: 1_700_000_000_000,
    ...change,
  }
}

export function aPeer(change: Partial<PeerView> = {}): PeerView {
  const id = '1'.repeat(128)
  return {
    id,
    enode: `enode://${id}@192.0.2.1:32110`,
    host: '192.0.2.1',
    port: 32_110,
    client: 'Parallax/v1.2',
    direction: 'outbound',
    isTrusted: false,
    isStatic: false,
    capabilities: ['parallax/66'],
    head: { hash: hashOf('a'), number: 1_000, totalDifficulty: '1000' },
    latencyMs: 12.4,
    bytesIn: 1_048_576,
    bytesOut: 2_048,
    connectedAt: 1_700_000_000_000,
    ...change,
  }
}
