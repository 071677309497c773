// Which addresses are our own page, and which may be handed to the system's browser.

/** The same document, whatever its fragment or query. */
export function isSamePage(url: string, page: string): boolean {
  const document = documentOf(url)
  return document !== null && document === documentOf(page)
}

/** The address when it is plain https without credentials, else null. */
export function outsideAddress(url: string): string | null {
  const parsed = parse(url)
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '') return null
  return parsed.href
}

function documentOf(url: string): string | null {
  const parsed = parse(url)
  return parsed === null ? null : `${parsed.protocol}//${parsed.host}${parsed.pathname}`
}

function parse(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}
