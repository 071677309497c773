// The site built from the documents: every link leads somewhere within it, and it neither loads anything from elsewhere
// nor runs scripts but the search's.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSite } from '../../tools/site/site.mjs'
import { allPages } from '../docs/pages'

interface Element {
  value: string
  readonly textContent: string
  getAttribute(name: string): string | null
  dispatchEvent(event: object): boolean
}
interface Window {
  readonly Event: new (type: string) => object
  readonly document: {
    querySelector(selector: string): Element | null
    querySelectorAll(selector: string): Iterable<Element>
  }
  close(): void
}
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  readonly JSDOM: new (html: string, options: object) => { readonly window: Window }
}

let folder = ''
let pages: ReadonlyMap<string, string> = new Map()
const found = (pattern: RegExp, text: string): readonly string[] =>
  [...text.matchAll(pattern)].map(([, target = '']) => target)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headframe-site-'))
  makeSite(folder)
  const names = readdirSync(folder, { recursive: true }).map(String)
  pages = new Map(
    names.filter((name) => name.endsWith('.html')).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the site of the documents', () => {
  it('has every page for users, with its title and the way to all guides', () => {
    const guides = allPages().filter(({ path }) => path.startsWith('docs/guide/'))
    const expected = guides.map(({ path }) => path.replace(/\.md$/, '.html'))

    expect([...pages.keys()]).toEqual(expect.arrayContaining(['index.html', 'SECURITY.html', ...expected]))
    for (const [name, text] of pages) {
      expect(text, name).toMatch(/<title>[^<]+<\/title>/)
      expect(found(/(<nav\b)/g, text).length, name).toBe(1)
      expect(found(/href="([^"]*pools\.html)"/g, text).length, name).toBeGreaterThan(0)
    }
  })

  it('has no broken link', () => {
    const broken = [...pages].flatMap(([name, text]) =>
      found(/(?:href|src)="([^"]*)"/g, text)
        .filter((target) => !/^https?:/.test(target))
        .filter((target) => {
          const [file = '', anchor] = target.split('#')
          const path = file === '' ? name : join(dirname(name), file)
          if (!existsSync(join(folder, path))) return true
          return anchor !== undefined && !(pages.get(path) ?? '').includes(`id="${decodeURIComponent(anchor)}"`)
        })
        .map((target) => `${name}: ${target}`),
    )

    expect(broken).toEqual([])
  })

  it('loads nothing from elsewhere, and runs nothing', () => {
    for (const [name, text] of pages) {
      expect(
        found(/(?:src=|<link[^>]* href=)"([^"]*)"/g, text).filter((target) => /^(?:\w+:)?\/\//.test(target)),
        name,
      ).toEqual([])
      const own = name === 'search.html' ? text.replace(/<script[^>]*>[\s\S]*?<\/script>/g, '') : text
      expect(own, name).not.toMatch(/<(?:script|iframe|object|embed|form)\b|\son\w+=|javascript:/i)
      expect(text, name).toContain("default-src 'none'")
    }
    expect(readFileSync(join(folder, 'style.css'), 'utf8')).not.toMatch(/@import|url\(/)
  })

  it('finds the sections with all words, titles first, by a script that the page allows by its hash', () => {
    const text = pages.get('search.html') ?? ''
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(text) ?? []
    expect(text).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    const { window } = new JSDOM(text, { runScripts: 'dangerously' })
    const search = (words: string): readonly string[] => {
      const field = window.document.querySelector('input')
      if (field !== null) field.value = words
      field?.dispatchEvent(new window.Event('input'))
      return [...window.document.querySelectorAll('#found a')].map((link) => link.getAttribute('href') ?? '')
    }

    expect(search('quiet-hours notifications')).toContain('docs/guide/window.html#tray-start-and-notifications')
    expect(search('VERIFY a release')[0]).toBe('docs/guide/upgrade.html#verify-a-release')
    expect(search('quiet-hours zyxwvut')).toEqual([])
    expect(window.document.querySelector('#count')?.textContent).toBe('0 found')
    expect(search('  ')).toEqual([])
    window.close()
  })

  it('shows documents as they are: code as text, and none of the tests’ own comments', () => {
    const text = pages.get('docs/guide/upgrade.html') ?? ''

    expect(text).toContain('headframe update --from')
    for (const [name, each] of pages) expect(each.includes('<!--'), name).toBe(false)
    expect(pages.get('docs/reference/options.html')).toContain('<table>')
  })
})
