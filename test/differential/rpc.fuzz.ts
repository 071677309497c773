// Sends random calls and headers to our node and to prlx, which have the same chain: prints every kind of
// difference once, with the smallest call that shows it. Run by `npm run fuzz:rpc`; SEED and CALLS choose the calls.
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HAS_REFERENCE, ReferenceNode } from '../node/reference/reference-node'
import { CaseNode, VECTORS } from '../node/rpc-cases/case-node'
import { type Answer, differenceOf } from './compare-answers'
import { Dice } from './dice'
import { httpCases } from './http-cases'
import { minimise } from './minimise'
import { type Call, type Known, randomCall } from './random-call'

const SEED = Number(process.env.SEED ?? 1)
const CALLS = Number(process.env.CALLS ?? 2_000)

const ours = new CaseNode(['personal'])
const theirs = new ReferenceNode()
let urls = { ours: '', theirs: '' }

beforeAll(async () => {
  const files = { genesis: join(VECTORS, 'genesis.json'), blocks: join(VECTORS, 'chain.rlp'), networkId: 3110 }
  await Promise.all([ours.start(), theirs.start(files)])
  const address = ours.node.rpcAddress()
  urls = { ours: `http://${address?.host}:${address?.port}/`, theirs: theirs.urls.http }
})
afterAll(async () => {
  await Promise.all([ours.stop(), theirs.stop()])
})

function send(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      { agent: false, method, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    sent.on('error', () => resolve({ status: 0, text: 'the connection was closed' }))
    sent.end(body)
  })
}

const bodyOf = ({ method, params }: Call): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })

async function difference(call: Call): Promise<string | null> {
  const body = bodyOf(call)
  const [mine, reference] = await Promise.all([send(urls.ours, body), send(urls.theirs, body)])
  if (/^eth_new/.test(call.method)) await Promise.all([endFilter(urls.ours, mine), endFilter(urls.theirs, reference)])
  return differenceOf({ method: call.method, params: call.params }, mine, reference)
}

/** A caller may only hold a limited number of filters. */
async function endFilter(url: string, { text }: Answer): Promise<void> {
  const { result } = JSON.parse(text)
  if (typeof result === 'string') await send(url, bodyOf({ method: 'eth_uninstallFilter', params: [result] }))
}

/** Random calls have crashed prlx before. */
async function isGone(): Promise<boolean> {
  const { status } = await send(urls.theirs, bodyOf({ method: 'web3_clientVersion', params: [] }))
  return status === 0
}

async function knownChain(): Promise<Known> {
  const blocks: string[] = []
  const transactions: string[] = []
  const addresses = new Set<string>([`0x${'0'.repeat(40)}`, `0x${'0'.repeat(39)}1`])
  for (let number = 0; ; number++) {
    const params = [`0x${number.toString(16)}`, true]
    const { text } = await send(urls.ours, bodyOf({ method: 'eth_getBlockByNumber', params }))
    const { result } = JSON.parse(text)
    if (result === null) return { blocks, transactions, addresses: [...addresses], head: number - 1 }
    blocks.push(result.hash)
    for (const tx of result.transactions) {
      transactions.push(tx.hash)
      for (const address of [tx.from, tx.to]) if (address !== null) addresses.add(address)
    }
  }
}

it.skipIf(!HAS_REFERENCE)(`answers ${CALLS} random calls of seed ${SEED} as prlx does`, async () => {
  const known = await knownChain()
  const dice = new Dice(SEED)
  const found = new Map<string, { readonly count: number; readonly call: Call }>()
  for (let done = 0; done < CALLS; done++) {
    const call = randomCall(dice, known)
    const kind = await difference(call)
    if (kind === null) continue
    if (await isGone()) {
      found.set(`prlx ended; start again with another seed: ${kind}`, { count: 1, call })
      break
    }
    const before = found.get(kind)
    const smallest = before?.call ?? (await minimise(call, async (next) => (await difference(next)) === kind))
    found.set(kind, { count: (before?.count ?? 0) + 1, call: smallest })
  }
  const lines = [...found].map(([kind, { count, call }]) => `${count}x ${kind}\n    ${bodyOf(call)}`)
  expect(lines, lines.join('\n')).toEqual([])
})

it.skipIf(!HAS_REFERENCE)('answers odd headers and bodies as prlx does', async () => {
  const cases = httpCases(bodyOf({ method: 'eth_chainId', params: [] }))
  const lines: string[] = []
  for (const [text, headers, method] of cases) {
    const [mine, reference] = await Promise.all([
      send(urls.ours, text, headers, method),
      send(urls.theirs, text, headers, method),
    ])
    const kind = differenceOf({ method: 'http', params: null }, mine, reference)
    if (kind !== null)
      lines.push(
        `${method} ${JSON.stringify(headers)} ${text}\n    ${kind}\n    ours ${mine.text.slice(0, 150)}\n    them ${reference.text.slice(0, 150)}`,
      )
  }
  expect(lines, lines.join('\n')).toEqual([])
})
