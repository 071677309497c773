// What the commands do, their usage, and where settings come from: for --help and the manual page.
import type { CommandName } from '../schema'

/** What people do, and the call for it: `headframe help`. With its other lines it fits a terminal of 24. */
export const TASKS: readonly (readonly [task: string, call: string])[] = [
  ['Try it, with nothing at stake', 'headframe'],
  ['Make an account', 'headframe account new'],
  ['Test a pool', 'headframe pool test URL'],
  ['Mine for a pool', 'headframe miner -P URL'],
  ['Mine on your own node', 'headframe --mainnet --mine --miner.coinbase 0xADDRESS'],
  ['Run a node', 'headframe node --mainnet --http'],
  ['Run a signer', 'headframe signer'],
  ['See what it does', 'headframe status'],
  ['Read its log', 'headframe logs -f'],
  ['Open its dashboard', 'headframe link'],
  ['Approve or deny', 'headframe requests'],
  ['Send LAX', 'headframe send FROM TO 1.5LAX'],
  ['Find out what is wrong', 'headframe doctor'],
  ['Update it', 'headframe update'],
  ['Stop it', 'headframe stop'],
]

/** Keys of the options that most people use: `headframe help COMMAND` shows these, `--all` the rest. */
export const USUAL: ReadonlySet<string> = new Set([
  'app.dataDir',
  'app.configFile',
  'app.logLevel',
  'app.headless',
  'app.network',
  'node.http',
  'node.httpPort',
  'node.mine',
  'node.coinbase',
  'rpc.ws',
  'p2p.port',
  'p2p.maxPeers',
  'p2p.nat',
  'chain.gcMode',
  'accounts.signer',
  'miner.devices',
  'miner.cpuThreads',
  'miner.cpu',
  'gpu.opencl',
  'gpu.cuda',
  'tuning.profile',
  'pool.urls',
  'pool.user',
  'pool.worker',
  'rigs.monitor',
  'rigs.list',
  'rigs.file',
  'stratum.bind',
  'api.bind',
  'api.token',
  'api.tokenFile',
  'api.allowControl',
  'update.url',
  'signer.keystore',
  'signer.http',
  'signer.httpPort',
  'signer.chainId',
  'signer.rules',
])

/** Example calls as a user types them. */
export const EXAMPLES: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  run: ['headframe --headless', 'headframe --mainnet --datadir /srv/headframe'],
  node: ['headframe node --mainnet --http --ws', 'headframe node --mainnet --mine --miner.coinbase 0xADDRESS'],
  miner: [
    'headframe miner -P stratum+tls://0xADDRESS.rig1@pool.example:3334',
    'headframe miner -P http://127.0.0.1:8545 --cpu-threads 2',
  ],
  signer: ['headframe signer --keystore DIR --chainid 2110', 'headframe signer attest SHA256'],
  export: ['headframe export blocks.rlp.gz', 'headframe export recent.rlp 55000 56000'],
  db: ['headframe db verify --json', 'headframe db repair --mainnet'],
  account: [
    'headframe account new',
    'headframe account backup 0xADDRESS /media/stick/key.json',
    "headframe account add m/44'/60'/0'/0/0",
    'headframe account unsigned',
  ],
  rigs: ['headframe rigs list --rig-file rigs.txt', 'headframe rigs pause --group cellar --rig-file rigs.txt'],
  pool: ['headframe pool test stratum+tls://0xADDRESS.rig1@pool.example:3334'],
  tune: ['headframe tune', 'headframe tune set 01:00.0 power=220 memory=7001'],
  attach: ["headframe attach --exec 'eth.blockNumber'", 'headframe attach http://127.0.0.1:8545'],
  verify: [
    'headframe verify headframe_0.2.0_amd64.deb',
    'headframe verify --key release.pub headframe-0.2.0-linux-x64.tar.gz',
  ],
  update: [
    'headframe update --update.url https://HOST/update.json',
    'headframe update --from stick/headframe-server-0.2.0-linux-x64.tar.gz',
  ],
  link: ['headframe link', 'sudo headframe link --datadir /var/lib/headframe-node'],
  status: ['headframe status', 'headframe status --watch', 'headframe status --json'],
  logs: ['headframe logs -f'],
  requests: ['headframe requests', 'headframe requests show 60acb446', 'headframe requests approve 60acb446'],
  send: ['headframe send 0xFROM 0xTO 1.5LAX', 'headframe send 0xFROM 0xTO 250gwei --wait'],
  doctor: ['headframe doctor --mainnet'],
  completion: ['headframe completion bash > /etc/bash_completion.d/headframe'],
}

/** The sources of settings, in order of precedence. */
export const SOURCES =
  'Every option is also a variable (HEADFRAME_HTTP_PORT for --http.port) and a key of the config file. ' +
  'Command line > environment > config file > default; headframe config shows what is in effect.'
