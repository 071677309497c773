// What a user of prlx's own console does with `prlx attach`, on a node; prints one JSON object. Arguments: HTTP, private key,
// the program, an empty folder. The console holds no key: transactions are signed before.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCreateAddress, Interface, Wallet } from 'ethers'

const [http, key, program, folder] = process.argv.slice(2)
const { abi, code } = JSON.parse(readFileSync(new URL('./probe.json', import.meta.url), 'utf8'))
const wallet = new Wallet(key)
const probe = new Interface(abi)
const address = getCreateAddress({ from: wallet.address, nonce: 0 })
const data = (name, ...args) => probe.encodeFunctionData(name, args)
const accessList = [{ address, storageKeys: [`0x${'00'.repeat(32)}`] }]
const fields = { chainId: 1337, gasPrice: 2_000_000_000n, type: 0, value: 0n }
const [deploy, store, storeWithList, fail] = await Promise.all(
  [
    { gasLimit: 1_000_000n, data: code + probe.encodeDeploy([7]).slice(2) },
    { gasLimit: 100_000n, to: address, data: data('store', 8) },
    { gasLimit: 100_000n, to: address, data: data('store', 9), type: 1, accessList },
    { gasLimit: 60_000n, to: address, data: data('failText') },
  ].map((more, nonce) => wallet.signTransaction({ ...fields, ...more, nonce })),
)

/** Runs in the console; `job` is what it needs. */
function work(job) {
  const { eth, web3 } = globalThis
  const wait = (raw) => {
    const hash = eth.sendRawTransaction(raw)
    for (;;) {
      const receipt = eth.getTransactionReceipt(hash)
      if (receipt !== null) return receipt
      for (const until = Date.now() + 50; Date.now() < until; );
    }
  }
  const ask = (method, params) => web3.currentProvider.send({ jsonrpc: '2.0', id: 1, method, params }).result
  const faultOf = (call) => {
    try {
      return call()
    } catch (error) {
      return String(error)
    }
  }
  const from = job.from
  const deployed = wait(job.deploy)
  const contract = eth.contract(job.abi).at(deployed.contractAddress)
  const to = deployed.contractAddress
  const before = contract.held.call()
  const filter = ask('eth_newFilter', [{ address: to }])
  const stored = wait(job.store)
  const listed = eth.createAccessList({ from, to, data: job.storeData, gas: '0x186a0' }, 'latest')
  const withList = wait(job.storeWithList)
  const failed = wait(job.fail)
  const pending = eth.getBlock('pending')
  return {
    chainId: parseInt(eth.chainId(), 16),
    contract: to,
    deployed: [deployed.status, deployed.gasUsed],
    code: eth.getCode(to),
    before,
    after: contract.held.call(),
    estimate: eth.estimateGas({ from, to, data: job.storeData }),
    listed,
    stored: [stored.status, stored.gasUsed, stored.logs.map((log) => [log.topics, log.data])],
    withList: [withList.status, withList.gasUsed, withList.type],
    changes: ask('eth_getFilterChanges', [filter]).map((log) => [log.data, log.removed]),
    events: contract
      .Stored({}, { fromBlock: 0, toBlock: 'latest' })
      .get()
      .map((event) => event.args.value),
    failed: [failed.status, failed.gasUsed],
    faults: job.faults.map((input) => faultOf(() => eth.call({ from, to, data: input }))),
    pending: [typeof pending.number, pending.hash],
    nonce: eth.getTransactionCount(from),
    storage: eth.getStorageAt(to, 0),
    trace: ask('debug_traceTransaction', [stored.transactionHash, { tracer: 'callTracer' }]),
  }
}

const job = {
  from: wallet.address.toLowerCase(),
  abi,
  deploy,
  store,
  storeWithList,
  fail,
  storeData: data('store', 3),
  faults: [data('failText'), data('failOdd', 3), data('failPanic')],
}
mkdirSync(folder, { recursive: true })
const script = join(folder, 'work.js')
const text = work.toString().replace('const { eth, web3 } = globalThis', '')
writeFileSync(script, `var answer = JSON.stringify((${text})(${JSON.stringify(job)}))\nconsole.log(answer)\n`)
const args = ['attach', '--datadir', folder, '--preload', script, '--exec', '"done"', http]
const printed = execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
console.log(printed.split('\n').find((line) => line.startsWith('{')))
