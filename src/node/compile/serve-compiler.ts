// The compiler worker: a source in, its last contract or the errors out; solc is loaded on first use. Source: the compiler's
// standard JSON interface (docs.soliditylang.org, "Using the Compiler")
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import type { Logger } from '../../base/logger'
import { call, type Transport } from '../../base/wire/define'
import { serveWire, trustedPeer } from '../../base/wire/server'

const compiledSchema = z.object({
  kind: z.literal('compiled'),
  /** creation code, `0x` hex */
  code: z.string(),
  /** with commit and platform */
  compilerVersion: z.string(),
  abi: z.unknown(),
  userDoc: z.unknown(),
  developerDoc: z.unknown(),
})

export const compileWire = {
  calls: {
    compile: call(
      z.object({ source: z.string() }),
      z.union([compiledSchema, z.object({ kind: z.literal('refused'), reason: z.string() })]),
    ),
  },
  events: {},
}

export type CompileWire = typeof compileWire
export type CompileOutcome = z.infer<typeof compiledSchema> | { readonly kind: 'refused'; readonly reason: string }

/** The newest EVM version that all networks here support; later ones emit opcodes the chain lacks. */
const EVM_VERSION = 'berlin'
const FILE_NAME = 'source.sol'

const solcSchema = z.object({
  version: z.custom<() => string>((value) => typeof value === 'function'),
  compile: z.custom<(input: string) => string>((value) => typeof value === 'function'),
})
type Solc = z.infer<typeof solcSchema>

const contractSchema = z.object({
  abi: z.unknown(),
  userdoc: z.unknown(),
  devdoc: z.unknown(),
  evm: z.object({ bytecode: z.object({ object: z.string() }) }),
})

const outputSchema = z.object({
  errors: z
    .array(z.object({ severity: z.string(), message: z.string(), formattedMessage: z.string().optional() }))
    .default([]),
  contracts: z.record(z.string(), z.record(z.string(), contractSchema)).default({}),
  sources: z
    .record(z.string(), z.object({ ast: z.object({ nodes: z.array(z.looseObject({ nodeType: z.string() })) }) }))
    .default({}),
})
type Output = z.infer<typeof outputSchema>

/** Answers `compileWire`. @param searchFrom folder from which the package is resolved */
export function serveCompiler(transport: Transport, deps: { readonly searchFrom: string; readonly log: Logger }): void {
  let solc: Solc | null = null
  serveWire<CompileWire>(
    compileWire,
    transport,
    {
      compile: ({ source }) => {
        solc ??= solcSchema.parse(requireFrom(deps.searchFrom)('solc'))
        return compileLast(source, solc)
      },
    },
    { log: deps.log, deny: trustedPeer },
  )
}

/** Whether the package is installed; cheap. */
export function hasSolc(searchFrom: string): boolean {
  try {
    requireFrom(searchFrom).resolve('solc')
    return true
  } catch {
    return false // not installed: it is optional
  }
}

function requireFrom(folder: string): NodeJS.Require {
  return createRequire(join(folder, 'package.json'))
}

/** The last contract in the source's own order. */
function compileLast(source: string, solc: Solc): CompileOutcome {
  const input = {
    language: 'Solidity',
    sources: { [FILE_NAME]: { content: source } },
    settings: {
      evmVersion: EVM_VERSION,
      outputSelection: { '*': { '': ['ast'], '*': ['abi', 'userdoc', 'devdoc', 'evm.bytecode.object'] } },
    },
  }
  const output = outputSchema.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  const faults = output.errors.filter((error) => error.severity === 'error')
  if (faults.length > 0) return refused(faults.map((fault) => fault.formattedMessage ?? fault.message).join('\n'))
  const name = lastContract(output)
  const contract = name === null ? undefined : output.contracts[FILE_NAME]?.[name]
  if (contract === undefined) return refused('the source defines no contract')
  const code = contract.evm.bytecode.object
  if (!/^[0-9a-f]*$/.test(code)) return refused(`contract ${name} needs libraries that are not linked`)
  const { abi, userdoc, devdoc } = contract
  const compilerVersion = solc.version()
  return { kind: 'compiled', code: `0x${code}`, compilerVersion, abi, userDoc: userdoc, developerDoc: devdoc }
}

function lastContract({ sources }: Output): string | null {
  const nodes = sources[FILE_NAME]?.ast.nodes ?? []
  const last = nodes.filter((node) => node.nodeType === 'ContractDefinition').at(-1)
  return typeof last?.name === 'string' ? last.name : null
}

function refused(reason: string): CompileOutcome {
  return { kind: 'refused', reason: reason.trim() }
}
