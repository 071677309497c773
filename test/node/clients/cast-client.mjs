// What a user of Foundry does with cast and forge, on a node; prints one JSON object. Arguments: HTTP, private key, folder with the
// package, an empty folder.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Interface, Wallet } from 'ethers'

const [http, key, from, folder] = process.argv.slice(2)
const { abi, code } = JSON.parse(readFileSync(new URL('./probe.json', import.meta.url), 'utf8'))
const require = createRequire(import.meta.url)
const { address: sender } = new Wallet(key)
const program = (name) =>
  join(
    from,
    'node_modules',
    '@foundry-rs',
    `${name}-${process.platform}-${process.arch === 'x64' ? 'amd64' : 'arm64'}`,
    'bin',
    name,
  )
const node = ['--rpc-url', http]
// The chain has no base fee, so cast needs an explicit price.
const signer = ['--legacy', '--private-key', key, '--json']
const options = { encoding: 'utf8', cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }
const cast = (...args) => execFileSync(program('cast'), args, options).trim()
const parsed = (...args) => JSON.parse(cast(...args))
const faultOf = (...args) =>
  spawnSync(program('cast'), args, options)
    .stderr.trim()
    .replace(/^Error: /, '')

const probe = new Interface(abi)
const constructed = code + probe.encodeDeploy([7]).slice(2)
const deployment = parsed('send', ...node, ...signer, '--create', constructed)
const address = deployment.contractAddress
const held = () => cast('call', ...node, address, 'held()(uint256)')
const before = held()
const filter = parsed('rpc', ...node, 'eth_newFilter', JSON.stringify({ address }))
const stored = parsed('send', ...node, ...signer, address, 'store(uint256)', '8')
const list = JSON.stringify([{ address, storageKeys: [`0x${'00'.repeat(32)}`] }])
const priced = ['--gas-price', '2gwei', '--access-list', list]
const withList = parsed('send', ...node, ...signer, ...priced, address, 'store(uint256)', '9')
const changes = parsed('rpc', ...node, 'eth_getFilterChanges', filter)
const events = parsed(
  'logs',
  ...node,
  '--json',
  '--from-block',
  '0',
  '--address',
  address,
  'Stored(address indexed,uint256)',
)
const failed = parsed('send', ...node, ...signer, '--gas-limit', '60000', address, 'failText()')

/** forge compiles the contract: the compiler's package stands in for its program. */
function create() {
  mkdirSync(join(folder, 'src'))
  copyFileSync(new URL('./Probe.sol', import.meta.url), join(folder, 'src', 'Probe.sol'))
  writeFileSync(join(folder, 'foundry.toml'), '[profile.default]\nevm_version = "berlin"\noptimizer = true\n')
  const compiler = join(folder, 'solc')
  const solc = require('solc')
  const run = `const solc=require(${JSON.stringify(require.resolve('solc'))});let text='';process.stdin.on('data',(part)=>{text+=part}).on('end',()=>console.log(solc.compile(text)))`
  const version = `Version: ${solc.version().replace('.Emscripten.clang', '.Linux.g++')}`
  const words = [`#!/bin/sh`, `if [ "$1" = --version ]; then echo '${version}'; exit; fi`]
  writeFileSync(compiler, [...words, `exec '${process.execPath}' '${compiler}.cjs'`, ''].join('\n'))
  writeFileSync(`${compiler}.cjs`, run)
  chmodSync(compiler, 0o755)
  const args = [
    'create',
    '--use',
    compiler,
    '--broadcast',
    ...node,
    ...signer,
    'src/Probe.sol:Probe',
    '--constructor-args',
    '7',
  ]
  const printed = execFileSync(program('forge'), args, options)
  const { deployer, deployedTo } = JSON.parse(printed.slice(printed.indexOf('{')))
  return [deployer, deployedTo, cast('call', ...node, deployedTo, 'held()(uint256)')]
}

console.log(
  JSON.stringify({
    chainId: cast('chain-id', ...node),
    contract: address,
    deployed: [deployment.status, deployment.gasUsed, deployment.type],
    code: cast('code', ...node, address),
    before,
    after: held(),
    estimate: cast('estimate', ...node, '--from', sender, address, 'store(uint256)', '3'),
    listed: cast('access-list', ...node, '--from', sender, '--gas-limit', '100000', address, 'store(uint256)', '3'),
    stored: [stored.status, stored.gasUsed, stored.logs.map(({ topics, data }) => [topics, data])],
    withList: [withList.status, withList.gasUsed, withList.type],
    changes: changes.map(({ data, removed }) => [data, removed]),
    events: events.map(({ data }) => data),
    failed: [failed.status, failed.gasUsed],
    faults: [
      faultOf('call', ...node, address, 'failText()'),
      faultOf('call', ...node, address, 'failOdd(uint256)', '3'),
      faultOf('call', ...node, address, 'failPanic()'),
      faultOf('estimate', ...node, '--from', sender, address, 'failOdd(uint256)', '5'),
    ],
    created: create(),
    nonce: cast('nonce', ...node, sender),
    storage: cast('storage', ...node, address, '0'),
    signed: cast('wallet', 'sign', '--private-key', key, 'hello'),
  }),
)
