export function processorTime(): { readonly process: string; readonly seconds: number } | null
export function secondsByFile(text: string): Map<string, number>
