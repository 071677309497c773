// What a Hardhat script does with the network that its configuration names; returns its findings.

export async function work(provider, { BrowserProvider, Contract, ContractFactory }, { abi, code }) {
  const browser = new BrowserProvider(provider, undefined, { pollingInterval: 50, cacheTimeout: -1 })
  const signer = await browser.getSigner()
  const deployed = await new ContractFactory(abi, code, signer).deploy(7n)
  const deployment = await deployed.deploymentTransaction().wait()
  const probe = new Contract(deployment.contractAddress, abi, signer)
  const before = await probe.held()
  const filter = await provider.request({ method: 'eth_newFilter', params: [{ address: deployment.contractAddress }] })
  const stored = await (await probe.store(8n)).wait()
  const accessList = [{ address: deployment.contractAddress, storageKeys: [`0x${'00'.repeat(32)}`] }]
  const withList = await (await probe.store(9n, { type: 1, accessList })).wait()
  const changes = await provider.request({ method: 'eth_getFilterChanges', params: [filter] })
  const events = await probe.queryFilter('Stored', deployment.blockNumber, 'latest')
  const faultOf = (call) =>
    call.then(
      () => null,
      ({ code, reason, data, shortMessage }) => ({ code, reason, data, shortMessage }),
    )
  return {
    chainId: String((await browser.getNetwork()).chainId),
    contract: deployment.contractAddress,
    deployed: [deployment.status, deployment.type, String(deployment.gasUsed)],
    before: String(before),
    after: String(await probe.held()),
    stored: [stored.status, stored.type, String(stored.gasUsed), stored.logs.map(({ data }) => data)],
    withList: [withList.status, withList.type, String(withList.gasUsed)],
    changes: changes.map(({ data, removed }) => [data, removed]),
    events: events.map(({ args }) => String(args.value)),
    faults: [await faultOf(probe.failText()), await faultOf(probe.failOdd(3n)), await faultOf(probe.failPanic())],
    signed: await signer.signMessage('hello'),
    pending: typeof (await provider.request({ method: 'eth_getBlockByNumber', params: ['pending', false] })).number,
    nonce: await browser.getTransactionCount(await signer.getAddress()),
  }
}
