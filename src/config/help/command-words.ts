// What the commands do, their usage, and where settings come from: for --help and the manual page.
import type { CommandName } from '../schema'

/** What a command does, in a few words. */
export const SUMMARIES: Readonly<Record<CommandName, string>> = {
  run: 'node, miner, signer and dashboard (the default)',
  node: 'the chain node and its JSON-RPC',
  miner: 'mine for a pool (-P), or on a node by getwork',
  signer: 'the signer, or work on its vault',
  init: 'prepare the data directory for a custom network',
  import: 'import blocks from files',
  export: 'write blocks to a file',
  db: 'inspect, verify, compact and repair the database',
  dumpgenesis: 'print the genesis file of the network',
  removedb: 'delete the chain database',
  account: 'create, list, import and change accounts',
  rules: 'attest a rules script; show, set or try policies',
  audit: 'check the audit log',
  devices: 'list the devices that can mine',
  rigs: 'list and control the rigs of a fleet',
  pool: 'test a pool without mining on it',
  tune: 'show or set power limit, clocks and fans of GPUs',
  bench: 'measure how fast this computer hashes',
  attach: 'open a JavaScript console on a running node',
  link: "print the running program's dashboard link",
  status: 'what the running program does: mining, pool, node, signer',
  stop: 'end the running program in order',
  logs: "print the running program's log (-f: and what follows)",
  requests: 'list, show, approve or deny what waits for a signature',
  doctor: 'check what this computer and the program need',
  config: 'show the settings in effect, and their sources',
  dumpconfig: 'print the settings as a config file',
  verify: 'check a downloaded release',
  update: 'check for a newer version and download it',
  completion: 'print completion for bash, zsh or fish',
  version: 'print the version',
  help: "show a command's options, or another program's flags",
}

/** All commands as `headframe help` lists them, related ones on one line: with its first lines they fit a terminal of 24. */
export const OVERVIEW: readonly (readonly [commands: readonly CommandName[], text: string])[] = [
  [['run'], SUMMARIES.run],
  [['node'], SUMMARIES.node],
  [['miner'], SUMMARIES.miner],
  [['signer'], SUMMARIES.signer],
  [['account'], SUMMARIES.account],
  [['rules', 'audit'], 'set rules and policies; check the audit log'],
  [['doctor', 'bench'], 'check this computer; measure how fast it hashes'],
  [['devices', 'tune'], 'list devices that can mine; change GPU settings'],
  [['rigs', 'pool'], 'list and control the rigs of a fleet; test a pool'],
  [['status', 'logs', 'stop'], 'what the running program does; its log; end it'],
  [['link', 'requests'], 'its dashboard; approve or deny what waits there'],
  [['attach'], SUMMARIES.attach],
  [['import', 'export'], 'read blocks from files; write them to one'],
  [['db', 'removedb'], 'check and repair the chain database; delete it'],
  [['init', 'dumpgenesis'], 'set up a custom network; print a genesis file'],
  [['config', 'dumpconfig'], 'show the settings in effect; print them as a file'],
  [['update', 'verify'], 'fetch a newer version; check a downloaded release'],
  [['completion'], SUMMARIES.completion],
  [['version', 'help'], 'print the version; show the options of a command'],
]

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
    'headframe update --from /media/stick/headframe-server-0.2.0-linux-x64.tar.gz',
  ],
  link: ['headframe link', 'sudo headframe link --datadir /var/lib/headframe-node'],
  status: ['headframe status', 'headframe status --watch', 'headframe status --json'],
  logs: ['headframe logs -f'],
  requests: ['headframe requests', 'headframe requests show 60acb446', 'headframe requests approve 60acb446'],
  doctor: ['headframe doctor --mainnet'],
  completion: ['headframe completion bash > /etc/bash_completion.d/headframe'],
}

/** The sources of settings, in order of precedence. */
export const SOURCES =
  'Every option is also a variable (HEADFRAME_HTTP_PORT for --http.port) and a key of the config file. ' +
  'Command line > environment > config file > default; headframe config shows what is in effect.'
