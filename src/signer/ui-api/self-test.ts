// The self-test of --stdio-ui-test: asks the program on the standard streams every question once, and reports how many
// answers were wrong.
import { RLP } from '@ethereumjs/rlp'
import { checksumAddress } from '../../base/checksum-address'
import { messageOf } from '../../base/errors'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { type Clock, sleep } from '../../base/time'
import type { Caller } from '../model/request'
import type { LineUi } from './line-ui'

interface TestCall {
  readonly method: string
  readonly params: readonly unknown[]
}

interface SelfTestDeps {
  readonly lines: LineUi
  /** A call of the external API; errors are answers too. */
  readonly submit: (
    call: TestCall,
    origin: { readonly caller: Caller; readonly callerGone: AbortSignal },
  ) => Promise<unknown>
  readonly clock: Clock
  readonly log: Logger
}

interface Step {
  readonly announcement: string
  /** Null when the answer was right, else what was wrong. */
  readonly run: () => Promise<string | null>
}

const PAUSE_MS = 1_000
/** An account in no keystore: an approval ends with `unknown account`. */
const ADDRESS = checksumAddress('0x0011223344556677889900112233445566778899')
const CALLER: Caller = { transport: 'app', remote: 'signer', local: 'main', userAgent: '', origin: '' }
const TEXT = '0x73656c662074657374'

const TRANSACTION = { from: ADDRESS, to: ADDRESS, gas: '0x5208', gasPrice: '0x1', value: '0x1', nonce: '0x0' }
const DOCUMENT = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Greeting: [
      { name: 'to', type: 'address' },
      { name: 'text', type: 'string' },
    ],
  },
  primaryType: 'Greeting',
  domain: { name: 'User interface test', chainId: '1' },
  message: { to: ADDRESS, text: 'Hello' },
}

export class UiSelfTest {
  readonly #stopped = new AbortController()
  #done: Promise<void> = Promise.resolve()

  constructor(private readonly deps: SelfTestDeps) {}

  start(): void {
    this.#done = this.#run().catch((error: unknown) => {
      if (!this.#stopped.signal.aborted) this.deps.log.warn('user interface test ended', { error: messageOf(error) })
    })
  }

  /** End its open question before, or this waits for it. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error('stopped'))
    await this.#done
  }

  async #run(): Promise<void> {
    const errors: string[] = []
    for (const { announcement, run } of this.#steps()) {
      if (announcement !== '') this.deps.lines.showInfo(announcement)
      await sleep(this.deps.clock, PAUSE_MS, this.#stopped.signal)
      const wrong = await run()
      if (wrong !== null) errors.push(`${announcement}: ${wrong}`)
    }
    this.deps.lines.showInfo(`Tests completed. ${errors.length} errors:\n${errors.join('\n')}`)
  }

  #steps(): readonly Step[] {
    const data = (type: string, content: unknown) => ({ method: 'account_signData', params: [type, ADDRESS, content] })
    const next = (what: string, wanted: 'approve' | 'deny', call: TestCall): Step => ({
      announcement: `Next comes ${what}: ${wanted} it`,
      run: () => (wanted === 'approve' ? this.#approves(call) : this.#denies(call)),
    })
    return [
      {
        announcement: 'An information, as requests will show them. Answer yes below when it can be read',
        run: () => this.#asks('yes'),
      },
      {
        announcement: '',
        run: () => {
          this.deps.lines.showError('An error, as requests will show them. Answer yes below when it can be read')
          return this.#asks('yes')
        },
      },
      next('a clique header to sign', 'approve', data('application/x-clique-header', headerHex())),
      next('an EIP-712 document to sign', 'approve', {
        method: 'account_signTypedData',
        params: [ADDRESS, DOCUMENT],
      }),
      next('a text to sign', 'approve', data('text/plain', TEXT)),
      next('a text to sign', 'deny', data('text/plain', TEXT)),
      next('a transaction', 'deny', { method: 'account_signTransaction', params: [TRANSACTION] }),
      {
        announcement: 'The question below is about warnings of that transaction: answer no when there were none',
        run: () => this.#asks('no'),
      },
      next('a request for the accounts', 'deny', { method: 'account_list', params: [] }),
      next('a request for a new account', 'deny', { method: 'account_new', params: [] }),
      { announcement: 'Next comes a request with an origin: see that it is shown', run: () => this.#origin() },
    ]
  }

  async #asks(wanted: string): Promise<string | null> {
    const text = await this.deps.lines.askText('Test', 'Did you see the message? [yes/no]')
    return text === wanted ? null : `expected "${wanted}", got another answer`
  }

  async #approves(call: TestCall): Promise<string | null> {
    const outcome = await this.#outcome(call, CALLER)
    // Nobody has the account: an approval is recognized by its failure.
    return outcome === 'unknown account' || outcome === null ? null : `expected an approval, got: ${outcome}`
  }

  async #denies(call: TestCall): Promise<string | null> {
    const outcome = await this.#outcome(call, CALLER)
    return outcome === 'request denied' ? null : `expected a denial, got: ${outcome ?? 'an approval'}`
  }

  async #origin(): Promise<string | null> {
    await this.#outcome({ method: 'account_list', params: [] }, { ...CALLER, origin: 'https://origin.example' })
    return this.#asks('yes')
  }

  /** Null when it succeeded, else why not. */
  async #outcome(call: TestCall, caller: Caller): Promise<string | null> {
    try {
      await this.deps.submit(call, { caller, callerGone: this.#stopped.signal })
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
}

function headerHex(): string {
  const fields = [32, 20, 32, 32, 32, 256, 0, 0, 0, 0, 0, 0, 0, 32, 8].map((size) => new Uint8Array(size))
  return toHex(RLP.encode(fields))
}
