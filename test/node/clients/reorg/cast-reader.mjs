// What a user of cast reads of the requested blocks; prints one JSON object. Arguments: HTTP, the request as JSON, the
// program.
import { spawnSync } from 'node:child_process'

const [http, text, program] = process.argv.slice(2)
const question = JSON.parse(text)

/** cast's output, or its error. */
function cast(...args) {
  const { status, stdout, stderr } = spawnSync(program, [...args, '--rpc-url', http], { encoding: 'utf8' })
  return status === 0 ? { value: JSON.parse(stdout) } : { fault: stderr.trim() }
}

const shown = ({ blockHash, transactionHash, logIndex, removed }) => [blockHash, transactionHash, logIndex, removed]
const filter = question.filter ?? cast('rpc', 'eth_newFilter', '{}').value
const last = cast('block-number').value
const blocks = []
for (let number = question.from; number <= last; number++) {
  const { value, fault } = cast('block', String(number), '--json')
  blocks.push(fault ?? [number, value.hash, value.parentHash, value.transactions])
}
const receipts = question.transactions.map((hash) => {
  const { value, fault } = cast('receipt', hash, '--async', '--json')
  return fault ?? [value.blockHash, value.status, value.gasUsed, value.logs.length]
})
const logs = cast('logs', '--json', '--from-block', String(question.from), '--to-block', 'latest').value
const changes = cast('rpc', 'eth_getFilterChanges', filter).value
console.log(JSON.stringify({ filter, last, blocks, receipts, logs: logs.map(shown), changes: changes.map(shown) }))
