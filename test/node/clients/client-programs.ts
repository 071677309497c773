// The clients of the matrix that are too heavy to be dependencies: CLIENT_PROGRAMS names a folder with them, which
// `node test/node/clients/fetch-clients.mjs FOLDER` fills. Missing ones are skipped, and the case says so.
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { peerProgram } from '../../peer-programs'

const HERE = import.meta.dirname
const ROOT = resolve(HERE, '../../..')

export interface Urls {
  readonly http: string
  readonly ws: string
}

/** Where a client has to work, and with which account. */
export interface Job extends Urls {
  /** `0x` and 64 digits */
  readonly key: string
  /** An empty folder for this client. */
  readonly folder: string
  /** Blocks of the node have the long extra data of a chain with signers. */
  readonly hasSigners: boolean
}

export interface Client {
  readonly name: string
  /** Version of what is installed; empty if nothing is. */
  readonly version: string
  /** What is missing; null = it can run. */
  readonly missing: string | null
  /** It signs a text with its own key. */
  readonly isSigning: boolean
  /** Why it can't work with prlx at all. */
  readonly referenceFault?: RegExp
  /** Its output. */
  readonly run: (job: Job) => Promise<unknown>
}

/** Absolute path of something in the folder; null if it isn't there. */
export function clientProgram(...path: readonly string[]): string | null {
  const folder = process.env.CLIENT_PROGRAMS
  const file = folder === undefined ? null : join(folder, ...path)
  return file !== null && existsSync(file) ? file : null
}

/** A program's JSON in its last line of output. @throws Error with its output */
export function lastLine(program: string, args: readonly string[], cwd = HERE): Promise<unknown> {
  const env = { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' }
  return new Promise((done, fail) => {
    execFile(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) done(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
      else fail(new Error(`${program} ${args.join(' ')}: ${stderr}${stdout}`))
    })
  })
}

function script(file: string): Client['run'] {
  return ({ http, ws, key }) => lastLine(process.execPath, [join(HERE, file), http, ws, key])
}

/** Of an npm package. @param from folder with `node_modules` */
function packageVersion(from: string | null, name: string): string {
  const file = from === null ? '' : join(from, 'node_modules', name, 'package.json')
  return existsSync(file) ? String(JSON.parse(readFileSync(file, 'utf8')).version) : ''
}

/** A dependency of the project. */
function own(name: string, file: string): Client {
  return { name, version: packageVersion(ROOT, name), missing: null, isSigning: true, run: script(file) }
}

interface Extra {
  readonly name: string
  /** What it needs from the folder. */
  readonly what: readonly string[]
  /** @param program path of `what` */
  readonly version: (program: string) => string
}

/** A client whose program may be missing. */
function extra({ name, what, version }: Extra, run: (program: string, job: Job) => Promise<unknown>): Client {
  const program = clientProgram(...what)
  const missing = program === null ? `CLIENT_PROGRAMS has no ${what.join('/')}` : null
  return {
    name,
    version: program === null ? '' : version(program),
    missing,
    isSigning: true,
    run: (job) => run(program ?? '', job),
  }
}

/** From pip's list of installed packages. @param python program of the virtual environment */
function pipVersion(python: string, name: string): string {
  const libraries = join(python, '..', '..', 'lib')
  const installed = readdirSync(libraries).flatMap((version) => readdirSync(join(libraries, version, 'site-packages')))
  const found = installed.find((entry) => entry.startsWith(`${name}-`) && entry.endsWith('.dist-info'))
  return found?.slice(name.length + 1, -'.dist-info'.length) ?? ''
}

/** From the module file beside it. */
function goVersion(program: string, module: string): string {
  const text = readFileSync(join(program, '..', 'go.mod'), 'utf8')
  return (
    text
      .split('\n')
      .find((line) => line.includes(`${module} v`))
      ?.match(/ v(\S+)/)?.[1] ?? ''
  )
}

export interface Hardhat {
  readonly node: string
  /** Folder with `node_modules`. */
  readonly from: string
  readonly cli: string
  /** Copied into the project; the first is run. */
  readonly files: readonly [string, ...string[]]
  readonly config: (network: string) => readonly [name: string, text: string]
}

/** Hardhat needs a project around the script. */
export function inProject(
  { node, from, cli, files, config }: Hardhat,
  { http, key, folder }: Pick<Job, 'http' | 'key' | 'folder'>,
): Promise<unknown> {
  mkdirSync(folder, { recursive: true })
  symlinkSync(join(from, 'node_modules'), join(folder, 'node_modules'))
  for (const file of files) copyFileSync(join(HERE, file), join(folder, basename(file)))
  const [name, text] = config(`url: '${http}', accounts: ['${key}']`)
  writeFileSync(join(folder, name), text)
  const type = name.endsWith('.js') ? ', "type": "module"' : ''
  writeFileSync(join(folder, 'package.json'), `{ "name": "probe", "private": true${type} }`)
  return lastLine(node, [join(from, cli), '--network', 'probe', 'run', '--no-compile', basename(files[0])], folder)
}

/** @param from folder of its npm packages @param files of this folder, the script first */
export function hardhat2(from: string, files: Hardhat['files']): Hardhat {
  return {
    node: process.execPath,
    from,
    cli: 'node_modules/hardhat/internal/cli/bootstrap.js',
    files,
    config: (network) => [
      'hardhat.config.cjs',
      `module.exports = { solidity: '0.8.28', networks: { probe: { ${network} } } }\n`,
    ],
  }
}

/** The same for its third version, which includes its own Node. */
export function hardhat3(from: string, files: Hardhat['files']): Hardhat {
  return {
    node: join(from, 'node_modules/node/bin/node'),
    from,
    cli: 'node_modules/hardhat/dist/src/cli.js',
    files,
    config: (network) => [
      'hardhat.config.js',
      `export default { networks: { probe: { type: 'http', chainType: 'l1', ${network} } } }\n`,
    ],
  }
}

/** cast or forge of a folder of npm packages. */
export function foundryProgram(from: string, name: string): string {
  const system = `${process.platform}-${process.arch === 'x64' ? 'amd64' : 'arm64'}`
  return join(from, 'node_modules', '@foundry-rs', `${name}-${system}`, 'bin', name)
}

export const CLIENTS: readonly Client[] = [
  own('ethers', 'ethers-client.mjs'),
  own('viem', 'viem-client.mjs'),
  extra(
    { name: 'web3.js', what: ['web3'], version: (from) => packageVersion(from, 'web3') },
    (web3, { http, ws, key }) => lastLine(process.execPath, [join(HERE, 'web3js-client.mjs'), http, ws, key, web3]),
  ),
  extra(
    { name: 'web3.py', what: ['python', 'venv', 'bin', 'python'], version: (python) => pipVersion(python, 'web3') },
    (python, { http, ws, key, hasSigners }) =>
      lastLine(python, [join(HERE, 'web3py_client.py'), http, ws, key, ...(hasSigners ? ['poa'] : [])]),
  ),
  extra(
    { name: 'cast and forge', what: ['foundry'], version: (from) => packageVersion(from, '@foundry-rs/cast') },
    (from, { http, key, folder }) => {
      mkdirSync(folder, { recursive: true })
      return lastLine(process.execPath, [join(HERE, 'cast-client.mjs'), http, key, from, folder])
    },
  ),
  {
    ...extra(
      {
        name: "go-ethereum's ethclient",
        what: ['ethclient', 'ethclient'],
        version: (program) => goVersion(program, 'ethereum/go-ethereum'),
      },
      (program, { http, ws, key }) => lastLine(program, [http, ws, key, join(HERE, 'probe.json')]),
    ),
    // Its headers have no such field.
    referenceFault: /missing required field 'sha3Uncles'/,
  },
  extra({ name: 'hardhat 2', what: ['hardhat-2'], version: (from) => packageVersion(from, 'hardhat') }, (from, job) =>
    inProject(hardhat2(from, ['hardhat2-client.cjs', 'probe.json', 'hardhat-work.mjs']), job),
  ),
  extra({ name: 'hardhat 3', what: ['hardhat-3'], version: (from) => packageVersion(from, 'hardhat') }, (from, job) =>
    inProject(hardhat3(from, ['hardhat3-client.mjs', 'probe.json', 'hardhat-work.mjs']), job),
  ),
  {
    name: 'prlx attach',
    version: '',
    missing: peerProgram('prlx') === null ? 'PEER_PROGRAMS has no prlx' : null,
    isSigning: false,
    run: ({ http, key, folder }) =>
      lastLine(process.execPath, [join(HERE, 'attach-client.mjs'), http, key, peerProgram('prlx') ?? '', folder]),
  },
]
