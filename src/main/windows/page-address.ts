// Which addresses are our own page, and which may be opened in the system's browser.

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

/** What a page may load: built files, what it created, inline images. @param pages file: URL of their folder */
export function isOwnResource(url: string, pages: string, allow: { readonly devTools: boolean }): boolean {
  const parsed = parse(url)
  if (parsed === null) return false
  if (parsed.protocol === 'devtools:') return allow.devTools
  if (parsed.protocol === 'data:' || parsed.protocol === 'blob:') return true
  // Dot segments are already resolved, unless escaped; an escaped slash isn't one to the file system either.
  return (
    parsed.protocol === 'file:' &&
    parsed.host === '' &&
    parsed.href.startsWith(`${pages}/`) &&
    !/%2e|%2f|%5c/i.test(parsed.pathname)
  )
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
