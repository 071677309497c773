// prlx's own console on our node and on prlx, over the same recorded chain: each helper has to return
// the same. Needs prlx in PEER_PROGRAMS (a folder).
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createMethodTable } from '../../src/node/rpc/methods/all-methods'
import type { Json } from '../json-rpc'
import { peerProgram } from '../peer-programs'
import { besideReference } from './reference/beside-reference'
import { HAS_REFERENCE } from './reference/reference-node'

const FRIEND = '0x000000000000000000000000000000000000beef'
/** Can pay for gas: prlx requires that in lists too. */
const RICH = '0xe9aba1e090d5520e23b666dac93e2ad27166a8ac'
const CONTRACT = '0x00000000000000000000000000000000000c0de0'
const BLOCK = 'eth.getBlock(42)'
const TX = 'eth.getBlock(2).transactions[0]'

const CALLS = [
  'eth.blockNumber',
  'eth.chainId()',
  'eth.gasPrice',
  'eth.maxPriorityFeePerGas',
  'eth.mining',
  'eth.hashrate',
  'eth.syncing',
  `eth.getBalance("${FRIEND}")`,
  `eth.getBalance("${FRIEND}", 7)`,
  `eth.getCode("${CONTRACT}").length`,
  `eth.getStorageAt("${CONTRACT}", 0)`,
  `eth.getTransactionCount("${FRIEND}")`,
  'eth.getBlockTransactionCount(42)',
  `eth.getTransaction(${TX})`,
  `eth.getTransactionReceipt(${TX})`,
  'eth.getTransactionFromBlock(2, 0)',
  'eth.getRawTransactionFromBlock(2, 0)',
  `eth.getRawTransaction(${TX})`,
  `eth.getHeaderByNumber(7).hash`,
  `eth.getHeaderByHash(${BLOCK}.hash).number`,
  `eth.getProof("${FRIEND}", [], 42)`,
  'eth.feeHistory(4, "latest", [10, 50])',
  `eth.call({ to: "${CONTRACT}" }, "latest")`,
  `eth.estimateGas({ from: "${FRIEND}", to: "${FRIEND}" })`,
  `eth.createAccessList({ from: "${RICH}", to: "${CONTRACT}", gas: "0x186a0" }, "latest")`,
  'eth.getBlock(99)',
  'eth.getTransaction("0x1111111111111111111111111111111111111111111111111111111111111111")',
  'eth.filter({ fromBlock: 0, toBlock: 42 }).get().length',
  'eth.getHashrate ? eth.getHashrate() : "no helper"',
  'eth.getTotalSupply ? eth.getTotalSupply() : "no helper"',
  'net.version',
  'net.listening',
  'net.peerCount',
  'web3.sha3("hello")',
  'web3.fromWei("1000000000000000000")',
  'web3.toHex(255)',
  'debug.getBlockRlp(7)',
  'debug.getHeaderRlp(7)',
  'debug.getRawReceipts("0x7")',
  'debug.seedHash(7)',
  'debug.getModifiedAccountsByNumber(41, 42).length',
  `debug.getModifiedAccountsByHash(${BLOCK}.hash).length`,
  'debug.getAccessibleState("0x1", "0x7")',
  'debug.getAccessibleState("pending", "0x28")',
  'debug.getAccessibleState("0x28", "pending")',
  'debug.getAccessibleState("latest", "pending")',
  'debug.getBadBlocks()',
  'debug.accountRange("0x2a", "", 2, true, true, false)',
  'debug.dumpBlock("0x2a").root',
  `debug.intermediateRoots(${BLOCK}.hash)`,
  `debug.storageRangeAt(${BLOCK}.hash, 0, "${CONTRACT}", "0x", 3).nextKey`,
  `debug.traceTransaction(${TX}, { tracer: "callTracer" })`,
  `debug.traceBlockByNumber("0x2", { tracer: "callTracer" })`,
  `debug.traceBlockByHash(eth.getBlock(2).hash, { tracer: "prestateTracer" })`,
  'debug.traceBlock(debug.getBlockRlp(2), { tracer: "callTracer" })',
  `debug.traceCall({ to: "${CONTRACT}" }, "latest", { tracer: "callTracer" })`,
  'debug.setHead("0x63")',
]

/** For each helper: the method, and the error code. */
type Helpers = Readonly<Record<string, readonly [method: string, code: number]>>

const table = createMethodTable()
/** Of the 146 helpers, 11 call what prlx doesn't know, and 43 what ours refuses with a reason. */
const SERVED_HELPERS = 93
const METHOD_UNKNOWN = -32601

/**
 * Prints what the console's objects offer: each helper with its method, and the result of calling that with more
 * arguments than any method takes. Known methods say so, and do nothing.
 */
const HELPERS = `(function () {
  var found = {}
  var seen = []
  function note(path, method) {
    if (typeof method !== 'string' || method.indexOf('_') < 1 || found[path] !== undefined) return
    var params = []
    for (var i = 0; i < 20; i++) params.push(null)
    var answer = web3.currentProvider.send({ jsonrpc: '2.0', id: 1, method: method, params: params })
    found[path] = [method, answer.error === undefined ? 0 : answer.error.code]
  }
  function walk(path, object, depth) {
    if (depth > 2 || object === null || typeof object !== 'object' || seen.indexOf(object) >= 0) return
    seen.push(object)
    Object.getOwnPropertyNames(object).forEach(function (name) {
      if (name.charAt(0) === '_' || name === 'currentProvider') return
      var property = Object.getOwnPropertyDescriptor(object, name)
      var value = property.value
      if (typeof value === 'function') {
        note(path + '.' + name, value.call)
        try { note(path + '.' + name, value.request.call(null).method) } catch (error) {} // it wants arguments
      } else if (value !== undefined) walk(path + '.' + name, value, depth + 1)
    })
  }
  ;['admin', 'db', 'debug', 'eth', 'miner', 'net', 'parallax', 'personal', 'rpc', 'shh', 'txpool', 'version', 'web3'].forEach(
    function (name) {
      try { walk(name, name === 'web3' ? web3 : web3[name], 0) } catch (error) {} // there is none of that name
    },
  )
  console.log(JSON.stringify(found))
})()`

describe.skipIf(!HAS_REFERENCE)("prlx's console (skipped without its program)", () => {
  const { ours, theirs, folder } = besideReference()

  /** The result of each call, or its error. */
  async function answersOf(url: string): Promise<Readonly<Record<string, Json>>> {
    const calls = CALLS.map((call) => `[${JSON.stringify(call)}, function () { return ${call} }]`)
    return JSON.parse(
      await printed(
        url,
        `var answers = {}
        ;[${calls.join(',\n')}].forEach(function (entry) {
          try { answers[entry[0]] = { value: entry[1]() } } catch (error) { answers[entry[0]] = { error: String(error) } }
        })
        console.log(JSON.stringify(answers))`,
      ),
    )
  }

  /** The line of JSON that a script prints in the console. */
  async function printed(url: string, code: string): Promise<string> {
    const script = join(folder, 'script.js')
    writeFileSync(script, code)
    const args = ['attach', '--datadir', folder, '--preload', script, '--exec', '"done"', url]
    const { stdout } = await promisify(execFile)(peerProgram('prlx') ?? '', args, { maxBuffer: 64 * 1024 * 1024 })
    return stdout.split('\n').find((line) => line.startsWith('{')) ?? '{}'
  }

  it('returns the same on both for every helper', async ({ task }) => {
    task.meta.cases = CALLS.length
    const [mine, other] = [await answersOf(ours.url()), await answersOf(theirs.urls.http)]

    expect(Object.keys(mine).length).toBe(CALLS.length)
    expect(mine).toEqual(other)
    expect(Object.values(mine).filter(({ error }) => error === undefined).length).toBeGreaterThan(45)
  })

  it("has all of prlx's helpers, and what each requests is known", async ({ task }) => {
    const mine: Helpers = JSON.parse(await printed(ours.ipc(), HELPERS))
    const other: Helpers = JSON.parse(await printed(theirs.ipc(), HELPERS))
    const unknown = (helpers: Helpers) =>
      Object.keys(helpers).filter((helper) => helpers[helper]?.[1] === METHOD_UNKNOWN)
    const methods = (helpers: Helpers) => Object.entries(helpers).map(([helper, [method]]) => `${helper} ${method}`)
    task.meta.cases = methods(other).length

    expect(methods(other).length).toBeGreaterThan(140)
    expect(methods(mine)).toEqual(expect.arrayContaining(methods(other)))
    expect(unknown(mine).filter((helper) => !unknown(other).includes(helper))).toEqual([])
    // The others say why not; the reference page of RPC methods lists them.
    const served = Object.values(mine).filter(
      ([method, code]) => code !== METHOD_UNKNOWN && table.get(method)?.refusal === undefined,
    )
    expect(served.length).toBeGreaterThanOrEqual(SERVED_HELPERS)
  })
})
