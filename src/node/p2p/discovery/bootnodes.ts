// The bootnodes of each network.
import { fail, ok, type Result } from '../../codec/result'
import { canonicalIp } from '../../identity/ip-address'
import type { NetworkSpec } from '../../networks'
import { type NodeAddress, parseEnode } from '../node-address'

/** Boston, Frankfurt, São Paulo. None are published for test; other networks have none, or the user's own. */
const MAIN_BOOTNODES = [
  'enode://34957ea19a9c8170892a41633f7ec05c3ca7d13d64fd155c485985c850f8cad72d5fa6ffcba62038580671565b76bd38b61cbc8145a203aa174f1069a3e10eb2@168.231.74.175:32110',
  'enode://2060e01e74e46fd944e172373dc18eb1478ec050d9c2d66a4486347c215c5fc5a8f72cb8549419828d61e4f9ff75d31ced7977fc89967546e389ff821a5dc10e@72.61.186.233:32110',
  'enode://7fcacf55ab8ffb8bd7bc722ba2336b6a4b304a2fc76fa65aadab4e17d196261793287f2cac80d10a25a351f06a038e73cca1170b2007af076bf82eb33e85d2f3@69.62.94.166:32110',
]

/** @param given the user's enode URLs; null = the network's @returns an error text for an unusable one */
export function bootnodesOf(
  network: NetworkSpec['name'],
  given: readonly string[] | null,
): Result<readonly NodeAddress[]> {
  const nodes: NodeAddress[] = []
  for (const url of given ?? (network === 'main' ? MAIN_BOOTNODES : [])) {
    const node = parseEnode(url)
    if (!node.ok) return node
    const host = canonicalIp(node.value.host)
    // UDP answers are matched by address, and a name may resolve to several.
    if (host === null) return fail(`bootnode ${node.value.host}: want an IP address`)
    nodes.push({ ...node.value, host })
  }
  return ok(nodes)
}
