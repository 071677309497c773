// Opens the dashboard at a screen over a well-filled scripted backend; for tests only.
import { act } from '@testing-library/react'
import type { ActivityView } from '../../../contract/app'
import type { DeviceView } from '../../../contract/miner'
import { App } from '../app/App'
import { type Stage, type StageLook, stage } from './render-app'
import type { ScriptedBackend } from './scripted'
import { aMoney, someRules } from './scripted-money'
import { aBalance, aBlock, aDevice, aHead, anInfo, aStatus, OWN_ADDRESS } from './scripted-values'

export const NOW = 1_700_000_000_000

export function anEntry(change: Partial<ActivityView> = {}): ActivityView {
  return { id: 0, at: NOW, level: 'info', module: 'chain', message: 'block mined', fields: [], ...change }
}

/** Everything answers, everything is well. */
export function fill(backend: ScriptedBackend, devices: readonly DeviceView[] = [aDevice()]): void {
  backend
    .answer('app.info', () => anInfo())
    .answer('node.blocks', () => ({ blocks: [aBlock(42), aBlock(41)] }))
    .answer('node.poolReport', () => ({ prices: [], template: null }))
    .answer('node.reorgs', () => ({ reorgs: [] }))
    .answer('node.rpcTraffic', () => ({ methods: [] }))
    .answer('node.consoleMethods', () => ({ methods: ['eth_blockNumber'] }))
    .answer('node.addressHistory', () => ({ transactions: [], newest: 42, oldest: 0 }))
    .answer('miner.history', () => ({ stepMs: 1000, firstAt: NOW, values: [] }))
    .answer('miner.money', () => aMoney({ takenAt: NOW }))
    .answer('miner.incidentHistory', () => ({ incidents: [], total: 0 }))
    .answer('miner.incidentRules', () => someRules())
    .answer('app.events', () => ({ entries: [] }))
    .answer('miner.pause', () => ({}))
    .answer('miner.resume', () => ({}))
    .emit('miner.devices', { devices: [...devices], takenAt: NOW })
    .emit('miner.status', aStatus())
    .emit('node.head', aHead())
    .emit('node.balances', { asOf: 42, accounts: [aBalance()], takenAt: NOW })
    .emit('signer.accounts', {
      accounts: [{ address: OWN_ADDRESS, file: 'a', files: 1 }],
      problems: [],
      keystore: '/k',
      takenAt: NOW,
    })
    .emit('miner.incidents', { open: [], recent: [], takenAt: NOW })
    .emit('signer.requests', { waiting: [], waitingCount: 0, takenAt: NOW })
    .emit('app.activity', { entries: [anEntry({ level: 'warn', message: 'a\u202Eb' })] })
}

/** The dashboard at `path`, with everything it loads lazily. */
export async function open(
  path: string,
  prepare: (backend: ScriptedBackend) => void = fill,
  look: StageLook = {},
): Promise<Stage> {
  window.location.hash = `#${path}`
  const scene = await stage(<App />, (backend) => prepare(backend), look)
  await act(async () => void (await new Promise((resolve) => setTimeout(resolve, 0))))
  return scene
}
