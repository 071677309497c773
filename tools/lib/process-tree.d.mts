export function endTree(pid: number): void
export function endDescendants(): void
export function descendantsOf(root: number): number[]
