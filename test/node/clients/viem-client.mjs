// What a user of viem does, on a node; prints one JSON object. Arguments: HTTP, WebSocket, private key.
import { readFileSync } from 'node:fs'
import { createPublicClient, createWalletClient, defineChain, encodeFunctionData, http, webSocket } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const [url, ws, key] = process.argv.slice(2)
const { abi, code } = JSON.parse(readFileSync(new URL('./probe.json', import.meta.url), 'utf8'))
const account = privateKeyToAccount(key)
const coin = { name: 'Lax', symbol: 'LAX', decimals: 18 }
const chain = defineChain({ id: 1337, name: 'probe', nativeCurrency: coin, rpcUrls: { default: { http: [url] } } })
const reader = createPublicClient({ chain, transport: http(url), pollingInterval: 50, cacheTime: 0 })
const listener = createPublicClient({ chain, transport: webSocket(ws) })
const writer = createWalletClient({ chain, transport: http(url), account })
const wait = (hash) => reader.waitForTransactionReceipt({ hash })

/** The causes of an error by name, without the client's own long texts. */
const faultOf = (call) =>
  call.then(
    () => null,
    (error) => {
      const chain = []
      for (let at = error; at instanceof Error; at = at.cause)
        chain.push([at.name, at.details ?? null, at.data?.errorName ?? at.reason ?? null, at.code ?? null])
      return chain
    },
  )

const deployment = await wait(await writer.deployContract({ abi, bytecode: code, args: [7n] }))
const address = deployment.contractAddress
const call = (functionName, args = []) => ({ address, abi, functionName, args, account })
const before = await reader.readContract(call('held'))

const stops = []
const told = new Promise((done) => {
  const onLogs = ([log]) => done(String(log.args.value))
  stops.push(listener.watchContractEvent({ address, abi, eventName: 'Stored', onLogs }))
})
const head = new Promise((done) => {
  stops.push(listener.watchBlocks({ onBlock: ({ number }) => done(typeof number) }))
})
await listener.getChainId() // answered after both subscriptions
const filter = await reader.createContractEventFilter({ address, abi, eventName: 'Stored' })
const listed = await reader.createAccessList({
  account: account.address,
  to: address,
  // prlx needs the gas, since it doesn't count the list itself.
  gas: 100_000n,
  data: encodeFunctionData({ abi, functionName: 'store', args: [8n] }),
})
const stored = await wait(await writer.writeContract(call('store', [8n])))
const withList = await wait(await writer.writeContract({ ...call('store', [9n]), accessList: listed.accessList }))
const changes = await reader.getFilterChanges({ filter })
const events = await reader.getContractEvents({ address, abi, fromBlock: deployment.blockNumber })
const failed = await wait(await writer.writeContract({ ...call('failText'), gas: 60_000n }))
const pending = await reader.getBlock({ blockTag: 'pending' })
const simulated = await reader.simulateContract(call('store', [3n]))

console.log(
  JSON.stringify(
    {
      chainId: await reader.getChainId(),
      contract: address,
      deployed: [deployment.status, deployment.type, deployment.gasUsed],
      code: await reader.getCode({ address }),
      before,
      after: await reader.readContract(call('held')),
      estimate: await reader.estimateContractGas(call('store', [3n])),
      simulated: simulated.result ?? null,
      listed,
      stored: [stored.status, stored.type, stored.gasUsed, stored.logs.map(({ topics, data }) => [topics, data])],
      withList: [withList.status, withList.type, withList.gasUsed],
      changes: changes.map(({ args, removed }) => [args.value, removed]),
      events: events.map(({ args }) => args.value),
      failed: [failed.status, failed.gasUsed],
      faults: [
        await faultOf(reader.readContract(call('failText'))),
        await faultOf(reader.readContract(call('failOdd', [3n]))),
        await faultOf(reader.readContract(call('failPanic'))),
        await faultOf(reader.estimateContractGas(call('failOdd', [5n]))),
        await faultOf(writer.sendTransaction({ to: account.address, value: 10n ** 30n })),
      ],
      told: await told,
      head: await head,
      nonce: await reader.getTransactionCount({ address: account.address }),
      pending: [typeof pending.number, pending.hash],
      signed: await writer.signMessage({ message: 'hello' }),
    },
    (_name, value) => (typeof value === 'bigint' ? String(value) : value),
  ),
)
for (const stop of stops) stop()
process.exit() // viem keeps its socket open
