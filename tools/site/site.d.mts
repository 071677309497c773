/** For the tests, which are checked more strictly than the tools: see site.mjs. */
export function makeSite(folder: string, root?: string): { readonly pages: number; readonly bytes: number }
