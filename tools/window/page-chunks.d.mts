interface PageChunk {
  readonly debugName: string
  readonly priority: number
  name(
    id: string,
    graph: {
      getModuleInfo(
        id: string,
      ): { readonly importedIds: readonly string[]; readonly importers: readonly string[] } | null
    },
  ): string | null
}

export function pageChunks(roots: Readonly<Record<string, readonly string[]>>): PageChunk[]
