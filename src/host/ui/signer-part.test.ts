import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { FakeClock } from '../../base/fake-clock'
import { silentLogger } from '../../base/logger'
import { SignerService } from '../../signer/signer-service'
import { TextMetrics } from '../metrics-text'
import { signerPart } from './signer-part'

const PASSWORD = 'a password that must not stay'

/** What earlier small buffers left in the memory that Node shares among them. */
function sharedMemory(): string {
  return Buffer.from(Buffer.from('x').buffer).toString('latin1')
}

it('leaves no password in the memory that buffers share', async () => {
  const clock = new FakeClock()
  const signer = new SignerService(
    {
      keystore: '/nowhere',
      chainId: 1,
      london: false,
      lightKdf: true,
      strict: false,
      http: null,
      approvalTimeoutMs: 0,
      auditLog: null,
    },
    {
      keys: () => {
        throw new Error('no keys are needed')
      },
      clock,
      log: silentLogger,
      metrics: new TextMetrics(),
      randomBytes,
    },
  )
  const { calls } = signerPart({ signer, clock })
  const { 'signer.decide': decide } = calls({ control: false, approve: true, canSignIn: false })
  const decision = { id: 'a', nonce: 'b', contentHash: 'c', decision: 'approve', accounts: null } as const
  const password = Buffer.alloc(PASSWORD.length, PASSWORD).toString('base64')

  await expect(decide({ ...decision, password }, new AbortController().signal)).rejects.toMatchObject({
    code: 'SIGNER_DECISION_REFUSED',
  })

  expect(sharedMemory()).not.toContain(PASSWORD)
})
