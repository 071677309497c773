// Names that only who publishes this project can fill in. Each may stand in its file and nowhere else; lint and the release say which do.

/** @type {Readonly<Record<string, string>>} the file of each */
export const PLACEHOLDERS = {
  SECURITY_CONTACT: 'SECURITY.md',
  CONDUCT_CONTACT: 'CODE_OF_CONDUCT.md',
  MAINTAINERS: '.github/CODEOWNERS',
}

/**
 * @param {string} path @param {string} text
 * @returns {{ findings: { path: string, line: number, message: string }[], open: string[] }} `open`: what stands where it may
 */
export function checkPlaceholders(path, text) {
  const findings = []
  const open = new Set()
  for (const [index, line] of text.split('\n').entries()) {
    for (const [name, home] of Object.entries(PLACEHOLDERS)) {
      if (!new RegExp(`(?<![\\w])${name}(?![\\w])`).test(line)) continue
      if (path === home) open.add(`${home}: ${name}`)
      else findings.push({ path, line: index + 1, message: `${name} is a placeholder of ${home}` })
    }
  }
  return { findings, open: [...open] }
}
