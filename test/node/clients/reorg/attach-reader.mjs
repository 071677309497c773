// What a user of prlx's own console reads of the requested blocks with `prlx attach`; prints one JSON object.
// Arguments: HTTP, the request as JSON, the program, a folder.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [http, text, program, folder] = process.argv.slice(2)

/** Runs in the console. */
function read(question) {
  const { eth, web3 } = globalThis
  const ask = (method, params) => web3.currentProvider.send({ jsonrpc: '2.0', id: 1, method, params }).result
  const shown = (log) => [log.blockHash, log.transactionHash, Number(log.logIndex), log.removed]
  const filter = question.filter === null ? ask('eth_newFilter', [{}]) : question.filter
  const last = eth.blockNumber
  const blocks = []
  for (let number = question.from; number <= last; number++) {
    const { hash, parentHash, transactions } = eth.getBlock(number)
    blocks.push([number, hash, parentHash, transactions])
  }
  const receipts = question.transactions.map((hash) => {
    const receipt = eth.getTransactionReceipt(hash)
    return receipt === null ? null : [receipt.blockHash, receipt.status, receipt.gasUsed, receipt.logs.length]
  })
  const logs = eth.filter({ fromBlock: question.from, toBlock: 'latest' }).get().map(shown)
  return { filter, last, blocks, receipts, logs, changes: ask('eth_getFilterChanges', [filter]).map(shown) }
}

mkdirSync(folder, { recursive: true })
const script = join(folder, 'read.js')
const code = read.toString().replace('const { eth, web3 } = globalThis', '')
writeFileSync(script, `console.log(JSON.stringify((${code})(${text})))\n`)
const args = ['attach', '--datadir', folder, '--preload', script, '--exec', '"done"', http]
const printed = execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
console.log(printed.split('\n').find((line) => line.startsWith('{')))
