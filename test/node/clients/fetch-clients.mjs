// node test/node/clients/fetch-clients.mjs FOLDER: fetches the clients of the matrix that are no dependencies
// (test/node/client-matrix.test.ts), some 700 MB. CLIENT_PROGRAMS=FOLDER then lets the test find them. Clients that
// need Go or Python are skipped without it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const PACKAGES = {
  web3: { web3: '4.16.0' },
  foundry: { '@foundry-rs/cast': '1.7.1', '@foundry-rs/forge': '1.7.1' },
  'hardhat-2': { hardhat: '2.29.1', ethers: '6.17.0' },
  // It needs a newer Node than the project does.
  'hardhat-3': { hardhat: '3.18.0', ethers: '6.17.0', node: '24.21.0' },
}
const WEB3_PY = 'web3==8.0.0'

/** As the operating system's package of Hardhat 3 is called; npm does not always take it along with the package itself. */
const EDR = `@nomicfoundation/edr-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}@0.22.0`

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('want a folder: node test/node/clients/fetch-clients.mjs FOLDER')
  process.exit(2)
}
/** @type {string[]} */
const failed = []

/** @param {string} name @param {readonly (readonly [string, ...string[]])[]} commands @param {string} cwd */
function make(name, commands, cwd) {
  console.log(`${name} ...`)
  for (const [program, ...args] of commands) {
    const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status === 0) continue
    failed.push(name)
    return
  }
}

for (const [name, dependencies] of Object.entries(PACKAGES)) {
  const place = resolve(folder, name)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'clients', private: true, dependencies }))
  make(name, [['npm', 'install', '--no-audit', '--no-fund']], place)
}
make('hardhat-3', [['npm', 'install', '--no-audit', '--no-fund', '--no-save', EDR]], resolve(folder, 'hardhat-3'))
const python = resolve(folder, 'python')
mkdirSync(python, { recursive: true })
make(
  'web3.py',
  [
    ['python3', '-m', 'venv', 'venv'],
    [join('venv', 'bin', 'pip'), 'install', '--quiet', WEB3_PY],
  ],
  python,
)
const go = resolve(folder, 'ethclient')
cpSync(join(import.meta.dirname, 'ethclient'), go, { recursive: true })
make('ethclient', [['go', 'build', '-o', 'ethclient', '.']], go)
if (failed.length > 0) console.error(`not there: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
