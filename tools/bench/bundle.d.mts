/** For the tests, which are checked more strictly than the tools: see bundle.mjs. */
export function bundleProgram(entry: string, folder: string, isEmptied?: boolean): Promise<void>
