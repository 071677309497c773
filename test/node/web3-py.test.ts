// web3.py with a real node whose accounts a real signer keeps: what it signs and sends, verified by its own account
// library. PYTHON names a Python that has web3; without one the case says so.
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ethers } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embeddedSigner } from '../../src/host/signer/create-node-accounts'
import { ACCOUNT_A, ACCOUNT_B, decisionOn, Harness, PASSWORD_A } from '../signer/harness'
import { NodeWithAccounts } from './node-with-accounts'

const PYTHON = process.env.PYTHON ?? 'python3'
const hasWeb3 = spawnSync(PYTHON, ['-c', 'import web3'], { stdio: 'ignore' }).status === 0

describe.skipIf(!hasWeb3)(`web3.py${hasWeb3 ? '' : ` (skipped: ${PYTHON} has no package web3)`}`, () => {
  let harness: Harness
  let server: NodeWithAccounts
  beforeAll(async () => {
    harness = await Harness.start({ keystore: 'one', service: { chainId: 1337 } })
    server = new NodeWithAccounts(embeddedSigner(harness.service))
    await server.start()
  })
  afterAll(async () => {
    await server.stop()
    await harness.end()
  })

  /** A person who approves everything, once each. */
  function approveAll(): () => readonly string[] {
    const kinds = new Map<string, string>()
    harness.service.events.on('requestsChanged', (requests) => {
      for (const request of requests) {
        if (request.state !== 'waiting' || kinds.has(request.id)) continue
        kinds.set(request.id, request.kind)
        const answer = request.kind === 'listing' ? { accounts: [ACCOUNT_A] } : { password: PASSWORD_A }
        void harness.service.decide(decisionOn(request, 'approve', answer))
      }
    })
    return () => [...kinds.values()]
  }

  it('signs a transaction, a text and a document, and sends', async () => {
    const approved = approveAll()

    const output = await new Promise<string>((done, fail) => {
      const args = [
        join(import.meta.dirname, 'clients', 'web3-client.py'),
        server.url(),
        `http://127.0.0.1:${harness.port}`,
        ACCOUNT_A,
        ACCOUNT_B,
      ]
      execFile(PYTHON, args, (error, stdout, stderr) => (error === null ? done(stdout) : fail(new Error(stderr))))
    })

    const own = ethers.getAddress(ACCOUNT_A)
    expect(JSON.parse(output)).toEqual({
      chainId: 1337,
      accounts: [own],
      pending: true,
      transactionBy: own,
      transactionBySigner: own,
      signersObject: {
        type: 0,
        nonce: 5,
        gas: 21_000,
        gasPrice: 1_000_000_000,
        value: 1,
        to: ethers.getAddress(ACCOUNT_B),
      },
      signersHash: true,
      textBy: own,
      typedBy: own,
    })
    expect([...approved()].sort()).toEqual([
      'listing',
      'signData',
      'signTransaction',
      'signTransaction',
      'signTransaction',
      'signTypedData',
    ])
  })
})
