// GraphQL over the recorded chain: its answers, its limits, and every answer compared with prlx's if that is
// in PEER_PROGRAMS (a folder).
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Json } from '../json-rpc'
import { QueryNode } from './query-node'
import { HAS_REFERENCE, ReferenceNode } from './reference/reference-node'
import { VECTORS } from './rpc-cases/case-node'

const chain = { folder: VECTORS, blocks: 'chain.rlp', networkId: 3110 }
const HEADER =
  'number hash nonce transactionsRoot transactionCount stateRoot receiptsRoot extraData gasLimit gasUsed baseFeePerGas ' +
  'nextBaseFeePerGas timestamp logsBloom mixHash difficulty totalDifficulty ommerCount ommers { number } ommerAt(index: 0) ' +
  '{ number } ommerHash rawHeader raw'
const TX =
  'hash nonce index value gasPrice maxFeePerGas maxPriorityFeePerGas effectiveTip effectiveGasPrice gas inputData status ' +
  'gasUsed cumulativeGasUsed r s v type accessList { address storageKeys } raw rawReceipt from { address } to { address } ' +
  'createdContract { address code } logs { index topics data account { address } }'
const LOG = 'index topics data account { address balance } transaction { hash index }'
const UNKNOWN = `0x${'11'.repeat(32)}`

async function query(url: string, text: string, more: object = {}): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${url}graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, ...more }),
  })
  return { status: response.status, body: await response.json() }
}

/** Queries over what the chain has; errors are compared by their place. */
function cases({ hash, tx, contract, creation, rich, topic }: Readonly<Record<string, string>>) {
  const blocks = [0, 1, 2, 10, 18, 41, 42]
  const texts = [
    ...blocks.map((number) => `{ block(number: ${number}) { ${HEADER} } }`),
    ...[2, 10, 18, 30].map((number) => `{ block(number: "${number}") { transactions { ${TX} } } }`),
    '{ block { number hash miner { address balance transactionCount code } } }',
    '{ block(number: 5) { parent { number parent { number hash } } } }',
    '{ block(number: 0) { parent { number } } }',
    '{ block(number: 43) { number } }',
    '{ block(number: -1) { number } }',
    `{ block(hash: "${hash}") { number transactionAt(index: 0) { hash index } none: transactionAt(index: 99) { hash } } }`,
    `{ block(hash: "${UNKNOWN}") { number } }`,
    '{ blocks(from: 3, to: 7) { number hash gasUsed transactionCount } }',
    '{ blocks(from: 40) { number timestamp } }',
    '{ blocks(from: 41, to: 60) { number } }',
    '{ blocks(from: 9, to: 3) { number } }',
    '{ blocks(to: 3) { number } }',
    `{ transaction(hash: "${tx}") { ${TX} block { number hash } } }`,
    `{ transaction(hash: "${creation}") { ${TX} } }`,
    `{ transaction(hash: "${UNKNOWN}") { hash } }`,
    `{ transaction(hash: "${tx}") { from(block: "0x2") { balance transactionCount } to(block: "0x14") { code } } }`,
    `{ transaction(hash: "${tx}") { from(block: "0x99") { balance } } }`,
    '{ logs(filter: {}) { index } }',
    `{ logs(filter: { fromBlock: "0x0" }) { ${LOG} } }`,
    `{ logs(filter: { fromBlock: "0x0", addresses: ["${contract}"] }) { ${LOG} } }`,
    `{ logs(filter: { fromBlock: "0x0", topics: [["${topic}"]] }) { ${LOG} } }`,
    `{ logs(filter: { fromBlock: "0x0", topics: [[], ["${topic}"]] }) { ${LOG} } }`,
    '{ logs(filter: { fromBlock: "0x20", toBlock: "0x2" }) { index } }',
    '{ logs(filter: { fromBlock: "0x50" }) { index } }',
    `{ block(hash: "${hash}") { logs(filter: { topics: [["${topic}"]] }) { ${LOG} } } }`,
    `{ block(number: 12) { logs(filter: {}) { ${LOG} } account(address: "${contract}") { storage(slot: "0x${'0'.repeat(64)}") } } }`,
    `{ block(number: 3) { account(address: "${rich}") { address balance transactionCount code } } }`,
    `{ block { call(data: { from: "${rich}", to: "${contract}", data: "0x" }) { data gasUsed status } } }`,
    `{ block { call(data: { to: "${contract}", data: "0xffffffff", gas: "0x186a0" }) { data gasUsed status } } }`,
    `{ block { call(data: { from: "${rich}", data: "0xfe" }) { data gasUsed status } } }`,
    `{ block { call(data: { from: "${rich}", data: "0x60016000f3", gas: 21000 }) { data gasUsed status } } }`,
    `{ block { call(data: { from: "0x${'77'.repeat(20)}", to: "${rich}", value: "0x1" }) { status } } }`,
    `{ block { estimateGas(data: { from: "${rich}", to: "${rich}", value: "0x1" }) } }`,
    `{ block(number: 20) { estimateGas(data: { from: "${rich}", data: "0xfe" }) } }`,
    '{ pending { transactionCount transactions { hash } } }',
    `{ pending { account(address: "${rich}") { balance transactionCount } } }`,
    `{ pending { call(data: { to: "${rich}" }) { data gasUsed status } } }`,
    `{ pending { estimateGas(data: { from: "${rich}", to: "${rich}" }) } }`,
    '{ chainID syncing { currentBlock } }',
    '{ a: block(number: 1) { ...h } b: block(number: 2) { ...h } } fragment h on Block { number hash }',
    '{ block { __typename number @include(if: true) hash @skip(if: true) } }',
    'mutation { sendRawTransaction(data: "0x01") }',
    '{ block(number: "x") { number } }',
    '{ block { nothing } }',
    '{ block(hash: "0x12") { number } }',
    '{ block { number ',
    '',
  ]
  const asked: (readonly [string, object])[] = texts.map((text) => [text, {}])
  const named = 'query one($n: Long) { block(number: $n) { number } } query two { block { number } }'
  asked.push([named, { operationName: 'one', variables: { n: 7 } }])
  asked.push([named, { operationName: 'two' }], [named, { operationName: 'three' }], [named, {}])
  asked.push(['query ($h: Bytes32!) { transaction(hash: $h) { hash } }', { variables: { h: tx } }])
  asked.push(['query ($h: Bytes32!) { transaction(hash: $h) { hash } }', { variables: {} }])
  return asked
}

describe('GraphQL', () => {
  const ours = new QueryNode(chain)
  const theirs = new ReferenceNode()
  beforeAll(async () => {
    const files = { genesis: join(VECTORS, 'genesis.json'), blocks: join(VECTORS, 'chain.rlp'), networkId: 3110 }
    await Promise.all([ours.start(), HAS_REFERENCE ? theirs.start(files) : null])
  })
  afterAll(async () => {
    await Promise.all([ours.stop(), theirs.stop()])
  })
  const mine = (text: string, more: object = {}) => query(ours.url(), text, more)

  async function known(): Promise<Readonly<Record<string, string>>> {
    const { result: logs }: Json = await ask(ours.url(), 'eth_getLogs', [{ fromBlock: '0x0' }])
    const log = logs.find(({ topics }: Json) => topics.length > 0)
    const facts: Record<string, string> = { hash: log.blockHash, contract: log.address, topic: log.topics[0] }
    for (let number = 1; number <= 42; number++) {
      const { result }: Json = await ask(ours.url(), 'eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
      for (const { hash, to, from } of result.transactions) {
        if (to === null) facts.creation = hash
        else facts.tx = hash
        facts.rich ??= from
      }
    }
    return facts
  }

  it("answers blocks, accounts and calls from JSON-RPC's reads", async () => {
    const { status, body } = await mine('{ block(number: 10) { number hash timestamp miner { balance } } chainID }')
    const { result }: Json = await ask(ours.url(), 'eth_getBlockByNumber', ['0xa', false])
    const { result: balance }: Json = await ask(ours.url(), 'eth_getBalance', [result.miner, 'latest'])

    expect(status).toBe(200)
    expect(body.data.block).toEqual({ number: 10, hash: result.hash, timestamp: result.timestamp, miner: { balance } })
    expect(body.data.chainID).toBe((await ask(ours.url(), 'eth_chainId', [])).result)
  })

  it('limits the cost of a request, and names the limit', async () => {
    const nested = (depth: number) =>
      `${'{ block { parent '.repeat(1)}${'{ parent '.repeat(depth)}{ number }${' }'.repeat(depth)} } }`
    const wide = (fields: number) =>
      `{ block { ${Array.from({ length: fields }, (_, i) => `a${i}: number`).join(' ')} } }`
    const many = `fragment f on Block { ${Array.from({ length: 60 }, (_, i) => `t${i}: transactions { a: inputData b: raw c: hash }`).join(' ')} }`
    const circle = '{ block { ...a } } fragment a on Block { parent { ...b } } fragment b on Block { parent { ...a } }'
    const schema = '__schema { types { name } }'
    const curious = `{ ${Array.from({ length: 4 }, (_, i) => `s${i}: ${schema}`).join(' ')} }`
    const asked: readonly (readonly [string, RegExp])[] = [
      [nested(30), /nested deeper than 20/],
      [circle, /nested deeper than 20/],
      [wide(1_500), /3000 tokens/],
      [
        `{ all: blocks(from: 0) { ...f } again: blocks(from: 0) { ...f } ${Array.from({ length: 4 }, (_, i) => `x${i}: blocks(from: 0) { ...f }`).join(' ')} } ${many}`,
        /more than 20000 fields/,
      ],
      [curious, /more than 3 questions about the schema/],
      ['{ __schema { a: types { name } b: types { name } } }', /no aliases within/],
      [
        '{ __type(name: "Block") { fields { type { fields { type { fields { name } } } } } } }',
        /[Ii]ntrospection depth/,
      ],
    ]
    for (const [text, bound] of asked) {
      const { status, body } = await mine(text)
      expect([status, body.errors[0].message], text.slice(0, 80)).toEqual([400, expect.stringMatching(bound)])
      expect(body.data).toBeUndefined()
    }
    expect((await mine(`{ ${schema} }`)).status).toBe(200)
    expect((await mine(nested(15))).status).toBe(200)
  })

  it('accepts requests that JSON-RPC would accept, and no others', async () => {
    const send = async (path: string, init: RequestInit): Promise<readonly [number, string]> => {
      const response = await fetch(`${ours.url()}${path}`, init)
      return [response.status, await response.text()]
    }
    const body = '{"query":"{ chainID }"}'
    const json = { 'content-type': 'application/json' }
    const answer = '{"data":{"chainID":"0xc26"}}\n'

    expect(await send('graphql', { method: 'POST', headers: json, body })).toEqual([200, answer])
    expect(await send('graphql/', { method: 'POST', headers: json, body })).toEqual([200, answer])
    expect(await send('graphql/ui', { method: 'POST', headers: json, body })).toEqual([404, ''])
    // Rejects what a page of another origin may send unasked.
    expect((await send('graphql', { method: 'POST', headers: { 'content-type': 'text/plain' }, body }))[0]).toBe(415)
    for (const odd of ['', '[]', 'x', '{"query":5}', '{"query":"{ chainID }","variables":[]}'])
      expect((await send('graphql', { method: 'POST', headers: json, body: odd }))[0], odd).toBe(400)
  })

  it.skipIf(!HAS_REFERENCE)('answers what prlx answers', { timeout: 240_000 }, async ({ task }) => {
    const asked = cases(await known())
    task.meta.cases = asked.length
    expect(asked.length).toBeGreaterThan(50)
    for (const [text, more] of asked) {
      const [answer, reference] = await Promise.all([mine(text, more), query(`${theirs.urls.http}/`, text, more)])
      expect({ ...comparable(answer), text }).toEqual({ ...comparable(reference), text })
    }
  })
})

/** Data in full; for errors, that there are some, and where. */
function comparable({ status, body }: { readonly status: number; readonly body: Json }) {
  const paths = (body.errors ?? []).flatMap(({ path }: Json) => (path === undefined ? [] : [path.join('.')]))
  const isRefused = body.errors !== undefined
  // Where an argument could not be read prlx runs the rest of the query, which is nothing here.
  const data = isRefused && paths.length === 0 ? null : body.data
  return { status, data, paths: paths.sort(), isRefused }
}
