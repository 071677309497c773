// The approval view over a scripted signer, and a user's actions; for tests only.
import { act, fireEvent, screen } from '@testing-library/react'
import { vi } from 'vitest'
import type { PageKeys } from '../../../contract/approval/approval-keys'
import type { RequestView } from '../../../contract/signer'
import { ApprovalApp } from '../approval/ApprovalApp'
import type { ApprovalSenses, AttentionListener } from '../approval/machine-hooks'
import { stage } from './render-app'
import type { ScriptedBackend } from './scripted'
import { aBalance, anInfo } from './scripted-values'

export const READ_MS = 700
export const PASSWORD = 'correct horse'

/** A user who looks at the page from the start and whose input is trusted. */
export function senses(listeners: AttentionListener[] = []): ApprovalSenses {
  return {
    isTrusted: () => true,
    watchAttention: (listener) => {
      listeners.push(listener)
      listener.setAttention(true)
      return { dispose: () => undefined }
    },
  }
}

export const queue = (backend: ScriptedBackend, ...waiting: readonly RequestView[]): ScriptedBackend =>
  backend.emit('signer.requests', { waiting: [...waiting], waitingCount: waiting.length, takenAt: 0 })

const POINT = `04${'1'.repeat(128)}`

/** Keys that say what they were used for; WebCrypto is tested with the key process. */
export function pageKeys(): PageKeys {
  const trusted: string[] = []
  return {
    known: null,
    trust: (receiver) => {
      trusted.push(receiver)
      return trusted[0] === receiver
    },
    seal: async (password, contents, keepMinutes) => {
      password.fill(0)
      const statement = JSON.stringify({ contents, keepMinutes, page: null })
      return { kind: 'sealed', sender: POINT, statement, password: '00' }
    },
    token: async (content) => ({ kind: 'token', once: content.slice(0, 32), signature: '0'.repeat(128) }),
  }
}

export async function show(
  requests: readonly RequestView[],
  given: ApprovalSenses = senses(),
  approvalKeys: PageKeys | null = null,
) {
  const onLeave = vi.fn()
  const scene = await stage(
    <ApprovalApp requestedId={null} onLeave={onLeave} senses={given} />,
    (backend) => {
      backend.answer('app.info', () => anInfo())
      backend.answer('signer.decide', ({ decision }) => ({
        state: decision === 'approve' ? 'signed' : 'rejected',
        error: '',
      }))
      backend.answer('signer.keyProcess', () => ({ receiver: POINT, reason: '' }))
      backend.answer('signer.rejectAll', () => ({ rejected: 1 }))
      backend.emit('node.balances', { asOf: 1, accounts: [aBalance()], takenAt: 0 })
      queue(backend, ...requests)
    },
    { approvalKeys },
  )
  return { ...scene, onLeave, decisions: () => scene.backend.calls.filter(({ name }) => name === 'signer.decide') }
}

export const state = (): string | null => screen.getByTestId('approval').getAttribute('data-state')
export const type = (testId: string, text: string) =>
  fireEvent.input(screen.getByTestId(testId), { target: { value: text } })
export const approve = () => screen.getByTestId('approval-approve')
/** A mouse event under a pointer event's name: jsdom's own pointer events carry no button. */
export const pointer = (name: 'pointerdown' | 'pointerup') =>
  fireEvent(approve(), new MouseEvent(name, { bubbles: true, button: 0 }))

export async function click(): Promise<void> {
  await act(async () => {
    pointer('pointerdown')
    pointer('pointerup')
  })
}
