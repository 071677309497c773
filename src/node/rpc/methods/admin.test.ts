import { expect, it } from 'vitest'
import { JsonText } from '../../../net/json-rpc/json-rpc'
import type { MethodContext, RpcContext } from '../dispatch/method'
import { adminNamespace } from './admin'

it('tells difficulties as whole JSON numbers, however large, and takes none from a name', async () => {
  const totalDifficulty = 2n ** 80n + 1n
  const name = '"difficulty":"7"'
  const peer = { clientName: name, capabilities: [], head: new Uint8Array(32), totalDifficulty }
  const context = { services: { peers: { list: () => [peer, peer] } } } as unknown as RpcContext
  const answer = await adminNamespace.admin_peers?.call(context, [], {} as MethodContext)
  const text = answer instanceof JsonText ? answer.text : JSON.stringify(answer)
  expect(text.match(/"difficulty":1208925819614629174706177,/g)).toHaveLength(2)
  expect(JSON.parse(text)).toMatchObject([{ name }, { name }])
})
