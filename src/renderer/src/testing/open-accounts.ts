// The accounts screens over a scripted signer, and a user's actions; for tests only.
import { act, fireEvent, screen } from '@testing-library/react'
import { fill, NOW, open as openApp } from './open-app'
import type { StageLook } from './render-app'
import type { ScriptedBackend } from './scripted'

export const READ_CONTROL = { control: true, approve: false }
export const change = (testId: string, value: string) =>
  fireEvent.change(screen.getByTestId(testId), { target: { value } })
export const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)))
export const input = (testId: string, value: string) =>
  fireEvent.input(screen.getByTestId(testId), { target: { value } })
export const callsOf = (backend: ScriptedBackend, name: string) => backend.calls.filter((call) => call.name === name)

/** Everything answers; the vault is in this state. */
export function prepared(
  state: 'missing' | 'closed' | 'open',
  more: (backend: ScriptedBackend) => void = () => undefined,
) {
  return (backend: ScriptedBackend): void => {
    fill(backend)
    backend
      .answer('signer.audit', () => ({ rows: [] }))
      .answer('signer.policies', () => ({ policies: [] }))
      .answer('signer.policyMatches', () => ({ matches: [] }))
      .answer('node.addressHistory', () => ({ transactions: [], newest: 42, oldest: 0 }))
      .emit('signer.vault', { state, stored: [], rules: null, takenAt: NOW })
    more(backend)
  }
}

/** With the screen, which is loaded on its first visit. */
export async function open(path: string, prepare: (backend: ScriptedBackend) => void, look: StageLook = {}) {
  const scene = await openApp(path, prepare, look)
  await screen.findByRole('heading', { level: 1 })
  await scene.pass(0)
  return scene
}
