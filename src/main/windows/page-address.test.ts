import { describe, expect, it } from 'vitest'
import { isOwnResource, isSamePage, outsideAddress } from './page-address'

const PAGE = 'file:///opt/headframe/out/renderer/index.html'

describe('our own page', () => {
  it('is recognized with any fragment or query', () => {
    expect(isSamePage(`${PAGE}?a=1#/gpus`, PAGE)).toBe(true)
  })

  it.each(['file:///opt/headframe/out/renderer/approval.html', 'https://x/index.html', '', 'about:blank'])(
    'is not %s',
    (url) => expect(isSamePage(url, PAGE)).toBe(false),
  )
})

describe('an address for the system browser', () => {
  it('is plain https', () => {
    expect(outsideAddress('https://example.org/a')).toBe('https://example.org/a')
  })

  it.each(['http://example.org/', 'file:///etc/passwd', 'https://user:pw@example.org/', 'javascript:1', 'x'])(
    'is never %s',
    (url) => expect(outsideAddress(url)).toBeNull(),
  )
})

describe('what a page may load', () => {
  const pages = 'file:///opt/headframe/out/renderer'
  const load = (url: string) => isOwnResource(url, pages, { devTools: false })

  it.each([PAGE, `${pages}/assets/a.js?v=1`, 'data:image/png;base64,AA==', 'blob:file:///x'])('is %s', (url) => {
    expect(load(url)).toBe(true)
  })

  it.each([
    'file:///etc/passwd',
    'file:///opt/headframe/out/renderer',
    'file:///opt/headframe/out/renderer-evil/a.js',
    `${pages}/../main/index.cjs`,
    `${pages}/%2e%2e/main/index.cjs`,
    `${pages}/..%2fmain/index.cjs`,
    'file://server/share/opt/headframe/out/renderer/a.js',
    'http://127.0.0.1:3333/',
    'https://example.org/',
    'ws://127.0.0.1/',
    'devtools://devtools/x',
    'x',
  ])('is never %s', (url) => expect(load(url)).toBe(false))
})
