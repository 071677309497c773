// Which GraphQL documents are executed: valid ones within limits for length, depth and introspection that no tool
// exceeds.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql'

/** Tokens of a document: validation takes quadratic time. */
const MAX_TOKENS = 3_000
/** Nesting of fields. */
const MAX_DEPTH = 20
/** Introspection fields; each may return the whole schema. */
const MAX_INTROSPECTIONS = 3
const MAX_FAULTS = 10

/** The document, or what is wrong with it. */
type Checked =
  | { readonly document: DocumentNode; readonly faults: null }
  | { readonly document: null; readonly faults: readonly GraphQLError[] }

/** Parses, limits and validates a document. */
export function checkedDocument(schema: GraphQLSchema, text: string): Checked {
  let parsed: DocumentNode
  try {
    parsed = parse(text, { maxTokens: MAX_TOKENS })
  } catch (error: unknown) {
    if (!(error instanceof GraphQLError)) throw error
    return { document: null, faults: [error] }
  }
  const shape = shapeFault(parsed)
  if (shape !== null) return { document: null, faults: [new GraphQLError(shape)] }
  const faults = validate(schema, parsed, undefined, { maxErrors: MAX_FAULTS })
  return faults.length === 0 ? { document: parsed, faults: null } : { document: null, faults }
}

/** Checked before validation: fragments may still be cyclic. */
function shapeFault({ definitions }: DocumentNode): string | null {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const walk = new ShapeWalk(fragments)
  for (const definition of definitions) if ('selectionSet' in definition) walk.depthOf(definition.selectionSet)
  if (walk.deepest > MAX_DEPTH) return `fields are nested deeper than ${MAX_DEPTH}`
  if (walk.introspections > MAX_INTROSPECTIONS) return `more than ${MAX_INTROSPECTIONS} questions about the schema`
  return walk.hasAlias ? 'no aliases within __schema and __type' : null
}

class ShapeWalk {
  deepest = 0
  introspections = 0
  hasAlias = false
  /** Depth of each fragment; the limit itself while it is being visited, so that a cycle counts as too deep. */
  readonly #depths = new Map<string, number>()

  constructor(private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>) {}

  depthOf(set: SelectionSetNode | undefined, level = 0, isSchema = false): number {
    if (set === undefined) return 0
    if (level > MAX_DEPTH) return this.#noted(MAX_DEPTH + 1)
    let most = 0
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const asks = selection.name.value === '__schema' || selection.name.value === '__type'
        if (asks) this.introspections++
        if (isSchema && selection.alias !== undefined) this.hasAlias = true
        most = Math.max(most, 1 + this.depthOf(selection.selectionSet, level + 1, isSchema || asks))
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        most = Math.max(most, this.depthOf(selection.selectionSet, level, isSchema))
      } else most = Math.max(most, this.#fragment(selection.name.value))
    }
    return this.#noted(most)
  }

  #fragment(name: string): number {
    const known = this.#depths.get(name)
    if (known !== undefined) return known
    const found = this.fragments.get(name)
    if (found === undefined) return 0
    this.#depths.set(name, MAX_DEPTH + 1)
    const isSchema = found.typeCondition.name.value.startsWith('__')
    const depth = this.depthOf(found.selectionSet, 0, isSchema)
    this.#depths.set(name, depth)
    return depth
  }

  #noted(depth: number): number {
    this.deepest = Math.max(this.deepest, depth)
    return depth
  }
}
