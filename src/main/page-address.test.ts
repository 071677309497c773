import { describe, expect, it } from 'vitest'
import { isSamePage, outsideAddress } from './page-address'

const PAGE = 'file:///opt/headframe/out/renderer/index.html'

describe('our own page', () => {
  it('is recognised with any fragment or query', () => {
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
