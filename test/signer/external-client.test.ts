// The signer as seen by go-ethereum's own client of an external signer, over HTTP and over the local socket: it lists
// accounts, signs a message and transactions of each type, and the other side verifies every signature. The test set-up
// builds the client if Go is there.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { peerProgram } from '../peer-programs'
import { ACCOUNT_A, Harness, PASSWORD_A } from './harness'

const CLIENT = peerProgram('peer-program')
const CHAIN_ID = 2110

const lineSchema = z.union([
  z.object({ status: z.string(), accounts: z.array(z.string()) }),
  z.object({ kind: z.string(), by: z.string() }),
  z.object({ error: z.string() }),
])

/** Its output, one object per line, however it ends. */
function lines(words: readonly string[]): Promise<readonly z.infer<typeof lineSchema>[]> {
  return new Promise((done) => {
    execFile(CLIENT ?? '', [...words], (_error, stdout) => {
      const printed = stdout.split('\n').filter((line) => line !== '')
      done(printed.map((line) => lineSchema.parse(JSON.parse(line))))
    })
  })
}

describe.skipIf(CLIENT === null).each(['HTTP', 'IPC'])(
  `a node's client of an external signer over %s${CLIENT === null ? ' (skipped: it is not there)' : ''}`,
  (transport) => {
    let signer: Harness
    let folder = ''
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'signer-socket-'))
    })
    afterEach(async () => {
      await signer.end()
      rmSync(folder, { recursive: true, force: true })
    })

    /** @returns where the client finds it */
    const start = async (decide: (kind: string) => 'approve' | 'reject'): Promise<string> => {
      const path = join(folder, 'clef.ipc')
      const doors = transport === 'IPC' ? { http: null, ipc: { path } } : {}
      signer = await Harness.start({ keystore: 'one', service: { chainId: CHAIN_ID, ...doors } })
      const seen = new Set<string>()
      signer.service.events.on('requestsChanged', (requests) => {
        for (const request of requests) {
          if (request.state !== 'waiting' || seen.has(request.id)) continue
          seen.add(request.id)
          const isApproved = decide(request.kind) === 'approve'
          void (isApproved
            ? signer.approve(request, { password: PASSWORD_A, ...listed(request.kind) })
            : signer.reject(request))
        }
      })
      return transport === 'IPC' ? path : `http://127.0.0.1:${signer.port}`
    }
    const listed = (kind: string) => (kind === 'listing' ? { accounts: [ACCOUNT_A] } : {})

    it('lists the account, and finds it as the signer of a message and of each type of transaction', async () => {
      const url = await start(() => 'approve')

      const [first, ...signatures] = await lines(['signer', url, String(CHAIN_ID)])

      expect(first).toEqual({ status: expect.stringMatching(/^ok \[version=6\./), accounts: [ACCOUNT_A] })
      expect(signatures).toEqual(['text', 'type 0', 'type 0', 'type 1'].map((kind) => ({ kind, by: ACCOUNT_A })))
    })

    it('is told that a rejected transaction was denied, and gets no signature for it', async () => {
      const url = await start((kind) => (kind === 'signTransaction' ? 'reject' : 'approve'))

      const answers = await lines(['signer', url, String(CHAIN_ID)])

      expect(answers.slice(1)).toEqual([
        { kind: 'text', by: ACCOUNT_A },
        { error: 'transaction of type 0: request denied' },
      ])
    })

    it('is refused a transaction for another chain', async () => {
      const url = await start(() => 'approve')

      const answers = await lines(['signer', url, String(CHAIN_ID + 1)])

      expect(answers.at(-1)).toEqual({ error: expect.stringContaining('transaction of type 0') })
      expect(answers.filter((line) => 'kind' in line && line.kind !== 'text')).toEqual([])
    })
  },
)
