// headframe: links, parsed into a place in the window. A link shows something: it starts, signs, pays, changes nothing.

const SCHEME = 'headframe:'
const MAX_BYTES = 2_048
const POOL_SCHEMES = /^(?:stratum|stratum[123]?\+(?:tcp|tls|ssl)|http|https|getwork):\/\//i

type DeepLink = { readonly route: string } | { readonly refused: string }

/** True for a word that is meant as a headframe: link, valid or not. */
export function isDeepLink(word: string): boolean {
  return word.toLowerCase().startsWith(SCHEME)
}

/** @param text from the system; anything but the listed places is rejected */
export function parseDeepLink(text: string): DeepLink {
  if (Buffer.byteLength(text) > MAX_BYTES) return { refused: `longer than ${MAX_BYTES} bytes` }
  if (!isDeepLink(text)) return { refused: 'not of the scheme headframe:' }
  const rest = text.slice(SCHEME.length).replace(/^\/\//, '')
  const queryAt = rest.indexOf('?')
  // A browser appends a slash to what it takes for a host name.
  const path = (queryAt < 0 ? rest : rest.slice(0, queryAt)).replace(/\/$/, '')
  const route =
    path === 'pools/add' && queryAt >= 0 ? poolRoute(rest.slice(queryAt + 1)) : queryAt < 0 ? placeOf(path) : null
  return route === null ? { refused: 'not one of the places that a link may open' } : { route }
}

function placeOf(path: string): string | null {
  if (path === 'overview') return '/'
  if (path === 'approvals') return '/accounts/approvals'
  if (/^gpus\/\d{1,4}$/.test(path)) return `/${path}`
  if (/^node\/block\/(?:\d{1,15}|0x[0-9a-fA-F]{64})$/.test(path)) return `/${path.toLowerCase()}`
  if (/^node\/tx\/0x[0-9a-fA-F]{64}$/.test(path)) return `/${path.toLowerCase()}`
  return /^node\/address\/0x[0-9a-fA-F]{40}$/.test(path) ? `/${path.toLowerCase()}` : null
}

/** Fills in the form, which the user then reviews and saves or not. */
function poolRoute(query: string): string | null {
  const parameters = new URLSearchParams(query.replace(/\+/g, '%2B')) // the plus of stratum+tls, not a space
  const url = parameters.get('url')
  if (url === null || [...parameters.keys()].length !== 1 || !isPlainText(url) || !POOL_SCHEMES.test(url)) return null
  return `/pools/add?url=${encodeURIComponent(url)}`
}

/** Neither control nor bidi characters. */
function isPlainText(text: string): boolean {
  return /^[\x21-\x7e]{1,1024}$/.test(text)
}
