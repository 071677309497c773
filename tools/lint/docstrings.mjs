// The share of exported functions, classes and types with a docstring. Lint enforces the share reached.
import { lineAt, withoutComments } from './source-text.mjs'

/** What another file can call or hold. A type inferred from a validator is described there; other constants are their own description. */
const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type) ([\w$]+)(?! = z\.infer)\b|^export const ([\w$]+)(?:: [^=\n]+)? = (?:async )?(?:<[^\n]*>)?\(/gm

/**
 * @param {string} text a TypeScript file
 * @returns {{ name: string, line: number, documented: boolean }[]}
 */
export function exportsOf(text) {
  const code = withoutComments(text)
  return [...code.matchAll(EXPORTED)].map((match) => {
    const before = text.slice(0, match.index).trimEnd()
    return { name: match[1] ?? match[2], line: lineAt(code, match.index), documented: before.endsWith('*/') }
  })
}

/**
 * @param {{ documentedPercent: number }} bounds the floor
 * @param {Map<string, string>} texts by path, without tests
 * @returns {{ findings: { path: string, line: number, message: string }[], percent: number }} `percent`: to one decimal
 */
export function checkDocstrings(bounds, texts) {
  const all = [...texts.values()].flatMap((text) => exportsOf(text))
  const documented = all.filter((one) => one.documented).length
  const percent = all.length === 0 ? 100 : Math.floor((documented * 1000) / all.length) / 10
  const { documentedPercent } = bounds
  const findings =
    percent >= documentedPercent
      ? []
      : [
          {
            path: 'layers.json',
            line: 1,
            message: `${percent}% of ${all.length} exported functions and types have a docstring, at least ${documentedPercent}%: say shapes, units and errors of the new ones`,
          },
        ]
  return { findings, percent }
}
