// A whole backend in this process, on free ports and a temporary data directory, with the built worker entries.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createWireClient, type WireClient } from '../../src/base/wire/client'
import { memoryTransportPair } from '../../src/base/wire/memory'
import { resolveConfig } from '../../src/config/resolve'
import { type Contract, contract } from '../../src/contract/contract'
import { type Backend, createBackend } from '../../src/host/backend'
import { readText } from '../../src/host/settings/config-settings'
import { nodePlatform } from '../../src/host/system/platform-node'
import type { UiAccess } from '../../src/host/ui/ui-handlers'

export const ROOT = resolve(import.meta.dirname, '../..')

/** Why the suite can't run here; null if it can. */
export const notBuilt = existsSync(join(ROOT, 'out/main/chain-worker.cjs')) ? null : 'not built; run: npm run build'

export function temporaryDataDir(): { readonly dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'headframe-backend-'))
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

export interface Made {
  readonly backend: Backend
  readonly errors: string[]
}

/** Not started yet. @param more arguments after `run` */
export async function makeBackend(dir: string, more: readonly string[] = [], command = 'run'): Promise<Made> {
  const errors: string[] = []
  const api = more.includes('--api-bind') || command === 'node' ? [] : ['--api-bind', '127.0.0.1:0']
  const signer = command === 'node' || command === 'miner' ? [] : ['--signer.http.port', '0', '--signer.lightkdf']
  const http = command === 'miner' ? [] : ['--http.port', '0']
  const config = resolveConfig({
    argv: [command, '--datadir', dir, ...api, ...signer, ...http, '--log.level', 'warn', ...more],
    surroundings: { platform: process.platform, environment: {}, homeDir: '/', workingDir: '/' },
    readFile: readText,
    windowless: true,
  })
  const platform = {
    ...nodePlatform({
      workerDir: join(ROOT, 'out/main'),
      projectRoot: ROOT,
      rendererDir: join(ROOT, 'out/renderer'),
      version: '0.0.0',
    }),
    standardError: (line: string) => void errors.push(line),
  }
  return { backend: await createBackend(config, platform), errors }
}

export function connect(backend: Backend, access: Partial<UiAccess> = {}): WireClient<Contract> {
  const [ui, served] = memoryTransportPair({ json: true })
  backend.ui.attach(served, { control: false, approve: false, canSignIn: false, ...access })
  return createWireClient(contract, ui)
}
