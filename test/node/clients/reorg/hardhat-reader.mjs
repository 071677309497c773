// Run by Hardhat 2 and 3 in a separate project: what a script reads of the given blocks; prints one JSON object.
import { readFileSync } from 'node:fs'
import { BrowserProvider } from 'ethers'
import hre from 'hardhat'

const question = JSON.parse(readFileSync(new URL('./question.json', import.meta.url), 'utf8'))
const { provider } = hre.network.provider === undefined ? await hre.network.create() : hre.network
const browser = new BrowserProvider(provider, undefined, { cacheTimeout: -1 })
const shown = ({ blockHash, transactionHash, logIndex, index = logIndex, removed }) => [
  blockHash,
  transactionHash,
  Number(index),
  removed,
]
const filter = question.filter ?? (await provider.request({ method: 'eth_newFilter', params: [{}] }))
const last = await browser.getBlockNumber()
const blocks = []
for (let number = question.from; number <= last; number++) {
  const { hash, parentHash, transactions } = await browser.getBlock(number)
  blocks.push([number, hash, parentHash, transactions])
}
const receipts = []
for (const hash of question.transactions) {
  const receipt = await browser.getTransactionReceipt(hash)
  receipts.push(receipt && [receipt.blockHash, receipt.status, String(receipt.gasUsed), receipt.logs.length])
}
const logs = await browser.getLogs({ fromBlock: question.from, toBlock: 'latest' })
const changes = await provider.request({ method: 'eth_getFilterChanges', params: [filter] })
console.log(JSON.stringify({ filter, last, blocks, receipts, logs: logs.map(shown), changes: changes.map(shown) }))
