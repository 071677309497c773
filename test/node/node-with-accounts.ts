// A node whose JSON-RPC signs through a signer provided by a test.
import { rmSync } from 'node:fs'
import { bytesOfHex } from '../../src/base/hex'
import { silentLogger } from '../../src/base/logger'
import { NodeAccounts } from '../../src/host/adapters/node-accounts'
import type { SignerCall } from '../../src/host/adapters/signer-call'
import { practiceGenesis } from '../../src/node/networks'
import type { NodeService } from '../../src/node/node-service'
import { ACCOUNT_A } from '../signer/harness'
import { newFolder, practiceNode } from './practice-node'

export interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** A real node whose accounts someone else holds; ACCOUNT_A has the practice network's coins. */
export class NodeWithAccounts {
  readonly #folder = newFolder()
  readonly node: NodeService

  constructor(ask: SignerCall) {
    this.node = practiceNode(
      this.#folder,
      {
        genesis: () => practiceGenesis(bytesOfHex(ACCOUNT_A, 20), 'none'),
        coinbase: () => null,
        rpc: {
          http: { host: '127.0.0.1', port: 0, api: ['eth', 'net', 'personal', 'wallet'], vhosts: [], corsOrigins: [] },
          ws: null,
          ipcPath: null,
          bodyLimitBytes: 100_000,
          batchLimit: 10,
          getworkHeight: false,
        },
      },
      { accounts: new NodeAccounts({ keystore: null, ask, unlocked: null, log: silentLogger }) },
    )
  }

  start(): Promise<void> {
    return this.node.start(new AbortController().signal)
  }

  async stop(): Promise<void> {
    await this.node.stop()
    rmSync(this.#folder, { recursive: true })
  }

  url(): string {
    const address = this.node.rpcAddress()
    return `http://${address?.host}:${address?.port}/`
  }

  readonly call = async (method: string, params: readonly unknown[], signal?: AbortSignal): Promise<Answer> => {
    const response = await fetch(this.url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'a wallet', origin: 'http://a.page' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      ...(signal === undefined ? {} : { signal }),
    })
    return (await response.json()) as Answer
  }
}
