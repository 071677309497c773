// What is measured on a rendered page: axe findings, sideways scrolling, clipped words, movement, borders.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { ROOT } from './harness'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The accessible name begins with the visible text; axe skips this check by default. */
const LABEL_IN_NAME = { 'label-content-name-mismatch': { enabled: true } }
const axe = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')
const HAS_AXE = 'globalThis.axe !== undefined'
const LOAD_AXE = `void (() => { ${axe} })()`
const MAX_PX = 8_000
/** Lists grow to their whole length in a few. */
const MOST_LOOKS = 20
const linesSchema = z.array(z.string())
const sizeSchema = z.object({ elements: z.number(), height: z.number() })
/** Once the resized page is rendered. */
const DRAWN_SIZE = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done({
  elements: document.querySelectorAll('*').length, height: document.documentElement.scrollHeight }))))`

/** Rules whose outcome depends on colors. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
/** Passed checks aren't reported, and for failures only the HTML: the rest costs half of axe's time. */
const TOLD = { resultTypes: ['violations'], selectors: false, iframes: false }
const PARTS = {
  all: { ...TOLD, runOnly: RULES, rules: LABEL_IN_NAME },
  colours: { ...TOLD, runOnly: { type: 'rule', values: COLOUR_RULES } },
  structure: {
    ...TOLD,
    runOnly: RULES,
    rules: { ...LABEL_IN_NAME, ...Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) },
  },
} as const

/**
 * Serious violations of WCAG AA rules, with their elements. The context has to bypass the page's policy.
 * @param themes colors are checked in each of these; in the current one if none is named
 */
export function seriousFindings(page: Page, themes: readonly ('dark' | 'light')[] = []): Promise<readonly string[]> {
  return onWholePage(page, async () => {
    const [first, ...more] = themes
    if (first === undefined) return findingsOf(page, 'all')
    const inTheme = async (colorScheme: (typeof themes)[number], part: 'all' | 'colours') => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      return (await findingsOf(page, part)).map((finding) => `${colorScheme}: ${finding}`)
    }
    const findings = [...(await inTheme(first, 'all'))]
    for (const theme of more) findings.push(...(await inTheme(theme, 'colours')))
    return findings
  })
}

/** Rules of WCAG AA, except those about colors. */
export function structuralFindings(page: Page): Promise<readonly string[]> {
  return onWholePage(page, () => findingsOf(page, 'structure'))
}

/** With axe in the page, all of which is shown. */
async function onWholePage(page: Page, look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  // Once per page: it is long.
  if ((await page.evaluate(HAS_AXE)) !== true) await page.evaluate(LOAD_AXE)
  const window = await showWhole(page)
  const findings = await look()
  await page.setViewportSize(window)
  return findings
}

/**
 * What a phone's bottom bar covers can be scrolled into view, which axe doesn't know: shows the whole page for it.
 * @returns the size before
 */
async function showWhole(page: Page): Promise<{ width: number; height: number }> {
  const window = page.viewportSize() ?? { width: 1280, height: 900 }
  // A list with more room may show more: until nothing is added, or what is added comes from the running program.
  for (let look = 0, before = -1; look < MOST_LOOKS; look += 1) {
    const { elements, height } = sizeSchema.parse(await page.evaluate(DRAWN_SIZE))
    if (elements === before) break
    before = elements
    await page.setViewportSize({ ...window, height: Math.max(window.height, Math.min(MAX_PX, 200 + height)) })
  }
  return window
}

/** Those that persist: a list that gets a line meanwhile has two lines in one place for a moment. One for each element. */
async function findingsOf(page: Page, part: keyof typeof PARTS): Promise<readonly string[]> {
  const found = await findingsNow(page, part)
  if (found.length === 0) return found
  const again = new Set((await findingsNow(page, part)).map(withoutNumbers))
  return found.filter((finding) => again.has(withoutNumbers(finding)))
}

async function findingsNow(page: Page, part: keyof typeof PARTS): Promise<readonly string[]> {
  return linesSchema.parse(
    await page.evaluate(`axe.run(${JSON.stringify(PARTS[part])}).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 160))))`),
  )
}

/** Heights, times and amounts keep changing in a running program. */
function withoutNumbers(finding: string): string {
  return finding.replace(/\d+/g, '#')
}

const IS_SHOWN = `(element) => {
  const { width, height } = element.getBoundingClientRect()
  return width > 1 && height > 1 && element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
}`
const NAME = `(element) => element.tagName.toLowerCase() + ' "' + (element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 60) + '"'`

/** Short words that wrap without a hyphen, in names and on controls. */
const BROKEN_WORDS = `(isLookedAt) => {
  const found = []
  for (const element of document.querySelectorAll('button, h1, h2, h3, th, label, summary, legend, dt, [role=tab]')) {
    if (!isLookedAt(element)) continue
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      for (const { 0: word, index } of text.data.matchAll(/(?<!\\S)\\p{Script=Latin}{2,14}(?!\\S)/gu)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const [first, ...more] = range.getClientRects()
        if (more.some(({ top }) => top > first.top + 4)) found.push({ word, element })
      }
    }
  }
  return found
}`

/** The page scrolls sideways, words are cut off or overflow their box, or something is outside of the window. */
async function layoutFaults(page: Page): Promise<readonly string[]> {
  return linesSchema.parse(
    await page.evaluate(`(() => {
      const isShown = ${IS_SHOWN}
      const name = ${NAME}
      const root = document.documentElement
      const faults = root.scrollWidth > root.clientWidth ? ['the page scrolls sideways by ' + (root.scrollWidth - root.clientWidth) + ': ' + [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > root.clientWidth).slice(-3).map(name).join(', ')] : []
      const scrolls = (element) => {
        for (let above = element; above !== null; above = above.parentElement)
          if (/auto|scroll/.test(getComputedStyle(above).overflowX)) return true
        return false
      }
      const isHidden = (element) => {
        for (let above = element; above !== null; above = above.parentElement)
          if (getComputedStyle(above).clipPath !== 'none') return true
        return false
      }
      for (const element of document.querySelectorAll('button, a, h1, h2, h3, th, label, summary, legend, dt, [role=tab], [data-state] > span')) {
        if (!isShown(element) || isHidden(element)) continue
        const isInline = getComputedStyle(element).display === 'inline'
        // Shortened on purpose, with all of it in the tooltip.
        const isShortened = getComputedStyle(element).textOverflow === 'ellipsis' && element.closest('[title]') !== null
        if (!isInline && !isShortened && element.scrollWidth > element.clientWidth + 1) faults.push('clipped ' + name(element) + ' ' + element.scrollWidth + ' > ' + element.clientWidth)
        if (element.tagName === 'BUTTON' && element.scrollHeight > element.clientHeight + 1) faults.push('too high ' + name(element))
        const { left, right } = element.getBoundingClientRect()
        if ((right > innerWidth + 1 || left < -1) && !scrolls(element)) faults.push('outside ' + name(element) + ' ' + Math.round(left) + '..' + Math.round(right))
      }
      faults.push(...(${BROKEN_WORDS})((element) => isShown(element) && !isHidden(element)).map(({ word, element }) => 'broken word "' + word + '" in ' + name(element)))
      // Words that a box cuts off without a way to read them: no scrolling, no title, not hidden on purpose.
      const canRead = (element) => element.closest('[title], [aria-hidden=true]') !== null || scrolls(element) || isHidden(element)
      const known = new Map()
      const clipsOf = (box) => {
        if (box === null || box === document.body) return []
        if (!known.has(box)) known.set(box, [...(/hidden|clip/.test(getComputedStyle(box).overflowX) ? [box] : []), ...clipsOf(box.parentElement)])
        return known.get(box)
      }
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        const element = text.parentElement
        if (text.data.trim() === '' || element === null) continue
        const clips = clipsOf(element)
        if (clips.length === 0) continue
        const range = document.createRange()
        range.selectNodeContents(text)
        const words = range.getBoundingClientRect()
        const isCut = clips.some((box) => {
          const { left, right } = box.getBoundingClientRect()
          return words.right > right + 1 || words.left < left - 1
        })
        if (isCut && isShown(element) && !canRead(element)) faults.push('cut off ' + name(element))
      }
      return faults
    })()`),
  )
}

/** Those that persist: charts follow a new width a moment later. */
export async function lastingFaults(page: Page): Promise<readonly string[]> {
  let faults = await layoutFaults(page)
  for (let look = 0; look < 50 && faults.length > 0; look++) {
    await page.waitForTimeout(100)
    faults = await layoutFaults(page)
  }
  return faults
}

/** Elements that would move: none may with reduced motion. */
export async function movements(page: Page): Promise<readonly string[]> {
  return linesSchema.parse(
    await page.evaluate(`(() => {
      const name = ${NAME}
      const isZero = (durations) => durations.split(',').every((duration) => parseFloat(duration) === 0)
      const styled = [...document.querySelectorAll('*')].filter((element) => {
        const style = getComputedStyle(element)
        return !isZero(style.transitionDuration) || (style.animationName !== 'none' && !isZero(style.animationDuration))
      })
      return [...styled.map(name), ...document.getAnimations().map((animation) => 'running ' + animation.playState)]
    })()`),
  )
}

/** Controls without a visible border, which in forced colors is all that shows where they are. */
export async function borderless(page: Page): Promise<readonly string[]> {
  return linesSchema.parse(
    await page.evaluate(`(() => {
      const isShown = ${IS_SHOWN}
      const name = ${NAME}
      return [...document.querySelectorAll('button, select, textarea, input:not([type=checkbox]):not([type=radio])')].filter((element) => {
        const style = getComputedStyle(element)
        const sides = ['Top', 'Right', 'Bottom', 'Left']
        const isBare = sides.some((side) => style['border' + side + 'Style'] === 'none' || parseFloat(style['border' + side + 'Width']) === 0)
        return isShown(element) && (isBare || /rgba\\(.*, 0\\)|transparent/.test(style.borderTopColor))
      }).map(name)
    })()`),
  )
}

/**
 * Unreadable words: a program's empty values, machine timestamps, amounts in the smallest unit, and direction marks
 * that could reverse the words around them; and each part that says it can't be read.
 */
export async function strangeWords(page: Page): Promise<readonly string[]> {
  return linesSchema.parse(
    await page.evaluate(`(() => {
      const patterns = [/\\bNaN\\b|\\bundefined\\b|\\bnull\\b|\\[object |Invalid Date|-?Infinity\\b/, /\\d{4}-\\d\\d-\\d\\dT\\d\\d:/, /(?:^|[^0-9a-fx.,])\\d{16,}\\b/, /[\\u202a-\\u202e\\u2066-\\u2069]/]
      // What is shown as a program wrote it: logs, commands, raw requests.
      const isRaw = (element) => element === null || element.closest('pre, code, textarea, [data-testid=log-view]') !== null
      const unread = '[data-testid=error-since], [data-testid="health-chip-health.unread"]'
      const faults = [...document.querySelectorAll(unread)].map((part) => 'unread "' + part.parentElement.textContent + '"')
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        const found = patterns.map((pattern) => pattern.exec(text.data)?.[0]).find((word) => word !== undefined)
        if (found !== undefined && !isRaw(text.parentElement) && !/^(SCRIPT|STYLE)$/.test(text.parentElement.tagName)) faults.push('strange "' + found + '" in "' + text.data.trim().slice(0, 80) + '"')
      }
      return faults
    })()`),
  )
}

/** Chosen things that look like the others in forced colors, where backgrounds and text colors are the system's. */
export async function unmarked(page: Page): Promise<readonly string[]> {
  return linesSchema.parse(
    await page.evaluate(`(() => {
      const isShown = ${IS_SHOWN}
      const name = ${NAME}
      // A radio button that can be seen shows itself what is chosen.
      const radios = [...document.querySelectorAll('input[type=radio]:checked + span')].filter((element) => getComputedStyle(element.previousElementSibling).opacity === '0')
      const chosen = [...document.querySelectorAll('a[aria-current=page]'), ...radios]
      return chosen.filter((element) => isShown(element) && getComputedStyle(element).outlineStyle === 'none').map(name)
    })()`),
  )
}
