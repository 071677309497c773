// What a user of ethers 6 does, on a node; prints one JSON object. Arguments: HTTP, WebSocket, private key.
import { readFileSync } from 'node:fs'
import { Contract, ContractFactory, JsonRpcProvider, Wallet, WebSocketProvider } from 'ethers'

const [http, ws, key] = process.argv.slice(2)
const { abi, code } = JSON.parse(readFileSync(new URL('./probe.json', import.meta.url), 'utf8'))
const provider = new JsonRpcProvider(http, undefined, { pollingInterval: 50, cacheTimeout: -1 })
const socket = new WebSocketProvider(ws)
const wallet = new Wallet(key, provider)

const faultOf = (call) =>
  call.then(
    () => null,
    ({ code, reason, revert, data }) => ({ code, reason, name: revert?.name, args: revert?.args?.map(String), data }),
  )

const deployed = await new ContractFactory(abi, code, wallet).deploy(7n)
const deployment = await deployed.deploymentTransaction().wait()
const probe = new Contract(await deployed.getAddress(), abi, wallet)
const before = await probe.held()

let tell
const told = new Promise((done) => {
  tell = done
})
await new Contract(deployment.contractAddress, abi, socket).on('Stored', (_by, value) => tell(String(value)))
let see
const head = new Promise((done) => {
  see = done
})
await socket.once('block', (number) => see(typeof number))
await socket.send('eth_chainId', []) // answered after both subscriptions
const filter = await provider.send('eth_newFilter', [{ address: deployment.contractAddress }])
const listed = await provider.send('eth_createAccessList', [
  // prlx needs the gas, since it doesn't count the list itself.
  {
    from: wallet.address,
    to: deployment.contractAddress,
    gas: '0x186a0',
    data: probe.interface.encodeFunctionData('store', [8n]),
  },
  'latest',
])
const stored = await (await probe.store(8n)).wait()
const withList = await (await probe.store(9n, { type: 1, accessList: listed.accessList })).wait()
const changes = await provider.send('eth_getFilterChanges', [filter])
const events = await probe.queryFilter('Stored', deployment.blockNumber, 'latest')
const sent = await probe.getFunction('failText').send({ gasLimit: 60_000n })
const failed = await sent.wait().catch(({ receipt }) => receipt)
const pending = await provider.getBlock('pending')

console.log(
  JSON.stringify({
    chainId: String((await provider.getNetwork()).chainId),
    contract: deployment.contractAddress,
    deployed: [deployment.status, String(deployment.gasUsed)],
    code: await provider.getCode(deployment.contractAddress),
    before: String(before),
    after: String(await probe.held()),
    estimate: String(await probe.store.estimateGas(3n)),
    listed,
    stored: [stored.status, stored.type, String(stored.gasUsed), stored.logs.map(({ topics, data }) => [topics, data])],
    withList: [withList.status, withList.type, String(withList.gasUsed)],
    changes: changes.map(({ data, removed }) => [data, removed]),
    events: events.map(({ args }) => args.map(String)),
    failed: [failed.status, String(failed.gasUsed)],
    faults: [
      await faultOf(probe.failText()),
      await faultOf(probe.failOdd(3n)),
      await faultOf(probe.failPanic()),
      await faultOf(probe.failOdd.estimateGas(5n)),
      await faultOf(wallet.sendTransaction({ to: wallet.address, value: 10n ** 30n })),
    ],
    told: await told,
    head: await head,
    nonce: await provider.getTransactionCount(wallet.address),
    transaction: (await provider.getTransaction(stored.hash)).hash === stored.hash,
    pending: [typeof pending.number, pending.hash],
    signed: await wallet.signMessage('hello'),
  }),
)
await socket.destroy()
provider.destroy()
