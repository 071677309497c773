// Which requests come from one caller: the signer's limits and blocks and the window's groups go by it.

/** What is known about a caller; the signer's and the contract's types both fit. */
interface CallerFacts {
  readonly transport: string
  /** `HOST:PORT`, or the name of a socket */
  readonly remote: string
  /** What the caller calls itself. */
  readonly userAgent: string
  /** Of the page; empty = none */
  readonly origin: string
  readonly process?: { readonly path?: string | undefined } | null
}

/** Callers that share a limit: by remote address, page's origin and program's file, or else the name they give. */
export function callerKey({ transport, remote, userAgent, origin, process }: CallerFacts): string {
  const path = process?.path ?? ''
  return JSON.stringify([transport, remote.replace(/:\d+$/, ''), path === '' ? userAgent : `file ${path}`, origin])
}
