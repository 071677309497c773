// eth_*: compilers. Solidity when its package is installed; LLL and Serpent have no maintained compiler.
import { rpcFailed } from '../../../rpc-fault'
import { textParam } from '../../arguments/params'
import { method, type RpcNamespace, untimed } from '../../dispatch/method'

const unavailable = (language: string) => rpcFailed(`compiler not available: ${language}`)

const never = (language: string) =>
  method({
    params: [textParam],
    handler: () => {
      throw unavailable(language)
    },
  })

export const ethCompile: RpcNamespace = {
  eth_getCompilers: method({
    params: [],
    handler: (_args, { services }) => (services.compiler?.isAvailable() === true ? ['solidity'] : []),
  }),
  eth_compileSolidity: untimed([textParam], async ([source], { services }, { signal }) => {
    const { compiler } = services
    if (compiler === null || !compiler.isAvailable()) throw unavailable('solidity')
    const compiled = await compiler.compile(source, signal)
    return {
      code: compiled.code,
      info: {
        source,
        language: 'Solidity',
        languageVersion: compiled.languageVersion,
        compilerVersion: compiled.compilerVersion,
        abiDefinition: compiled.abi,
        userDoc: compiled.userDoc,
        developerDoc: compiled.developerDoc,
      },
    }
  }),
  eth_compileLLL: never('lll'),
  eth_compileSerpent: never('serpent'),
}
