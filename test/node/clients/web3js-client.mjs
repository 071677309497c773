// What a user of web3.js 4 does, on a node; prints one JSON object. Arguments: HTTP, WebSocket, private key, folder with its package.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [http, ws, key, folder] = process.argv.slice(2)
const { Web3 } = createRequire(join(folder, 'package.json'))('web3')
const { abi, code } = JSON.parse(readFileSync(new URL('./probe.json', import.meta.url), 'utf8'))
const web3 = new Web3(http)
web3.eth.transactionPollingInterval = 50
const listener = new Web3(ws)
const { address: from } = web3.eth.accounts.wallet.add(key)[0]
// The chain has no base fee, so web3.js needs an explicit price.
const plain = { from, type: 0 }

const faultOf = (call) =>
  call.then(
    () => null,
    (error) => ({
      code: error.code,
      reason: error.reason ?? error.cause?.message ?? error.message,
      data: error.cause?.data ?? error.data ?? null,
      name: error.cause?.errorName ?? null,
    }),
  )

const probe = await new web3.eth.Contract(abi).deploy({ data: code, arguments: [7] }).send(plain)
const address = probe.options.address
const before = await probe.methods.held().call()

const spoken = new listener.eth.Contract(abi, address).events.Stored({ fromBlock: 'latest' })
const told = new Promise((done, fail) => {
  spoken.on('data', ({ returnValues }) => done(String(returnValues.value)))
  spoken.on('error', fail)
})
await new Promise((done) => spoken.on('connected', done))
const heads = await listener.eth.subscribe('newBlockHeaders')
const head = new Promise((done) => heads.on('data', ({ number }) => done(typeof number)))
const filter = await web3.requestManager.send({ method: 'eth_newFilter', params: [{ address }] })
const data = probe.methods.store(8).encodeABI()
const listed = await web3.eth.createAccessList({ from, to: address, data, gas: '0x186a0' })
const stored = await probe.methods.store(8).send(plain)
const withList = await web3.eth.sendTransaction({
  from,
  to: address,
  data: probe.methods.store(9).encodeABI(),
  type: 1,
  accessList: listed.accessList,
  gas: 100_000,
  gasPrice: await web3.eth.getGasPrice(),
})
const changes = await web3.requestManager.send({ method: 'eth_getFilterChanges', params: [filter] })
const events = await probe.getPastEvents('Stored', { fromBlock: 0, toBlock: 'latest' })
const failed = await probe.methods
  .failText()
  .send({ ...plain, gas: 60_000 })
  .then(
    () => null,
    ({ receipt }) => receipt,
  )
const pending = await web3.eth.getBlock('pending')

console.log(
  JSON.stringify(
    {
      chainId: await web3.eth.getChainId(),
      contract: address,
      code: await web3.eth.getCode(address),
      before,
      after: await probe.methods.held().call(),
      estimate: await probe.methods.store(3).estimateGas({ from }),
      listed,
      stored: [stored.status, stored.type, stored.gasUsed, stored.events.Stored.returnValues.value],
      withList: [withList.status, withList.type, withList.gasUsed],
      changes: changes.map(({ data, removed }) => [data, removed]),
      events: events.map(({ returnValues }) => returnValues.value),
      failed: failed === null ? null : [failed.status, failed.gasUsed],
      faults: [
        await faultOf(probe.methods.failText().call()),
        await faultOf(probe.methods.failOdd(3).call()),
        await faultOf(probe.methods.failPanic().call()),
        await faultOf(probe.methods.failOdd(5).estimateGas({ from })),
      ],
      told: await told,
      head: await head,
      nonce: await web3.eth.getTransactionCount(from),
      pending: [typeof pending.number, pending.hash ?? null],
      signed: web3.eth.accounts.sign('hello', key).signature,
    },
    (_name, value) => (typeof value === 'bigint' ? String(value) : value),
  ),
)
process.exit() // the socket would be opened again
