// In a clone without node_modules every npm script, and every tool called by itself, installs the packages first or ends with one line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PROJECT = join(import.meta.dirname, '../..')
const COPIED = ['tools', 'package.json', 'package-lock.json', 'src/old-electron', 'test/tiers.json']
/** In place of npm: what it says where the registry can't be reached. */
const NPM = `process.stderr.write('npm error code EAI_AGAIN\\nnpm error no such host\\n'); process.exit(1)`
const NO_NETWORK = /\nnpm can't install the packages: no such host\. For its full output, run npm ci\.\n$/
/** Scripts that look for something else first. */
const OTHER: Record<string, RegExp> = {
  'build:native': /^\ncannot build the native addon: package node-addon-api is missing; run: npm ci\n$/,
  'package:windows': /^\n\S+ is not installed \(.*\)\n$/,
  tidy: /^\nclang-tidy 15 is not installed \(.*\)\n$/,
}

const { 'test:native': _cppAlone, ...scripts }: Record<string, string> = JSON.parse(
  readFileSync(join(PROJECT, 'package.json'), 'utf8'),
).scripts
const toolFiles = readdirSync(join(PROJECT, 'tools'), { recursive: true, encoding: 'utf8' })
  .map((name) => `tools/${name.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.mjs'))
const textOf = (path: string): string => readFileSync(join(PROJECT, path), 'utf8')

let clone = ''
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'headframe-bare-'))
  for (const path of COPIED) {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    cpSync(join(PROJECT, path), join(clone, path), { recursive: true })
  }
  for (const path of ['.git', 'resources', 'src/node', 'src/signer'])
    symlinkSync(join(PROJECT, path), join(clone, path))
  writeFileSync(join(clone, 'npm.cjs'), NPM)
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

const run = async (command: string): Promise<{ code: number; output: string }> => {
  const env = { PATH: process.env.PATH, npm_execpath: join(clone, 'npm.cjs'), PEER_PROGRAMS: clone }
  const child = spawn(command, { cwd: clone, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      output += String(part)
    })
  const [code] = await once(child, 'close')
  return { code, output }
}

describe.skipIf(process.platform === 'win32')('without its packages', () => {
  it.concurrent.each(Object.entries(scripts))('npm run %s says in a line what is missing', async (name, command) => {
    const { code, output } = await run(command)

    if (!NO_NETWORK.test(`\n${output}`)) expect(`\n${output}`).toMatch(OTHER[name] ?? NO_NETWORK)
    expect(code).toBe(1)
  })

  // Static imports are resolved before the first line of a tool runs.
  it('no tool names a package in an import that comes before their installation', () => {
    const named = toolFiles.flatMap((path) =>
      [...textOf(path).matchAll(/^(?:import|export) (?:[^'"\n]* from )?'([^'.][^']*)'/gm)]
        .filter(([, from = '']) => !from.startsWith('node:'))
        .map(([, from]) => `${path}: ${from}`),
    )

    expect(named).toEqual([])
  })

  it('no tool calls npx, which would ask the registry for a program that is missing', () => {
    expect(toolFiles.filter((path) => /(?:run|spawn)(?:Sync)?\('npx'/.test(textOf(path)))).toEqual([])
  })
})
