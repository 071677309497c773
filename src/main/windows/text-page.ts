// Pages for windows without a page of ours to show: text and at most a link, no script, nothing loaded.

interface TextPart {
  readonly tag: 'h1' | 'p' | 'muted' | 'code' | 'link'
  readonly text: string
  /** Before a `code`. */
  readonly label?: string
  /** Target of a `link`. */
  readonly href?: string
}

/** A data: URL that contains the page. */
export function textPageUrl(parts: readonly TextPart[]): string {
  const page = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="dark light">
<title>Headframe</title>
<style>
:root { color-scheme: dark light; --text: #151A21; --canvas: #F6F7F9; --muted: #4C5767; --accent: #8A5200; --on-accent: #fff; --focus: #0B5CAB }
@media (prefers-color-scheme: dark) { :root { --text: #E6EBF2; --canvas: #0E1116; --muted: #A3AFBF; --accent: #F0A63C; --on-accent: #1B1202; --focus: #8CC2FF } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--canvas); color: var(--text); font: 14px/20px system-ui, sans-serif }
main { max-width: 560px; padding: 32px }
h1 { font-size: 24px; line-height: 32px; margin: 0 0 16px }
p { margin: 0 0 12px } .muted { color: var(--muted) } code { overflow-wrap: anywhere; user-select: all }
a { display: inline-block; margin-top: 12px; padding: 10px 16px; border-radius: 8px; background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none }
a:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
</style>
<main>
${parts.map(markup).join('\n')}
</main>`
  return `data:text/html;charset=utf-8;base64,${Buffer.from(page, 'utf8').toString('base64')}`
}

function markup({ tag, text, label = '', href = '' }: TextPart): string {
  switch (tag) {
    case 'muted':
      return `<p class="muted">${escaped(text)}</p>`
    case 'code':
      return `<p>${escaped(label)} <code>${escaped(text)}</code></p>`
    case 'link':
      return `<a id="reload" href="${escaped(href)}" autofocus>${escaped(text)}</a>`
    default:
      return `<${tag}>${escaped(text)}</${tag}>`
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)
}
