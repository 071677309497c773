// Which node had which head when, as a picture: one row per node, one color per branch; and the same as lines of text.
export interface HeadSight {
  readonly atMs: number
  readonly node: number
  readonly number: number
  /** hex */
  readonly hash: string
}

export interface Happening {
  readonly atMs: number
  readonly what: string
}

export interface PictureInput {
  readonly names: readonly string[]
  /** In time order. */
  readonly sights: readonly HeadSight[]
  readonly happenings: readonly Happening[]
  readonly lengthMs: number
}

const WIDTH = 1200
const LEFT = 90
const ROW = 26
const TOP = 40
/** Similar hashes get very different colors. */
const HUES = 360

export function svgPicture({ names, sights, happenings, lengthMs }: PictureInput): string {
  const x = (ms: number): string => (LEFT + ((WIDTH - LEFT - 10) * ms) / lengthMs).toFixed(1)
  const y = (row: number): number => TOP + row * ROW
  const height = y(names.length) + 20
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    ...names.map((name, row) => `<text x="4" y="${y(row) + 15}">${name}</text>`),
  ]
  for (const [index, { atMs, node, number, hash }] of sights.entries()) {
    const end = sights.slice(index + 1).find((next) => next.node === node)?.atMs ?? lengthMs
    const width = Number(x(end)) - Number(x(atMs))
    const hue = Number.parseInt(hash.slice(2, 8), 16) % HUES
    parts.push(
      `<rect x="${x(atMs)}" y="${y(node)}" width="${width.toFixed(1)}" height="${ROW - 6}" fill="hsl(${hue},65%,70%)">` +
        `<title>${names[node]}: block ${number} ${hash.slice(0, 10)}</title></rect>`,
    )
    if (width > 24) parts.push(`<text x="${Number(x(atMs)) + 3}" y="${y(node) + 14}">${number}</text>`)
  }
  for (const { atMs, what } of happenings) {
    const at = x(atMs)
    parts.push(
      `<line x1="${at}" x2="${at}" y1="${TOP - 10}" y2="${height - 14}" stroke="black" stroke-dasharray="3 3"/>`,
    )
    parts.push(`<text x="${at}" y="${TOP - 14}" transform="rotate(-20 ${at} ${TOP - 14})">${what}</text>`)
  }
  return `${parts.join('\n')}\n</svg>\n`
}

/** One line per event, with the heads of all nodes at that moment. */
export function textPicture({ names, sights, happenings, lengthMs }: PictureInput): string {
  const moments = [...happenings, { atMs: lengthMs, what: 'end' }]
  const lines = moments.map(({ atMs, what }) => {
    const heads = names.map((_, node) => {
      const last = sights.filter((sight) => sight.node === node && sight.atMs <= atMs).at(-1)
      return last === undefined ? '-' : `${last.number}:${last.hash.slice(2, 6)}`
    })
    return [(atMs / 1000).toFixed(1).padStart(8), what.padEnd(24), ...heads.map((head) => head.padEnd(11))].join(' ')
  })
  return [['seconds'.padStart(8), ''.padEnd(24), ...names.map((name) => name.padEnd(11))].join(' '), ...lines].join(
    '\n',
  )
}
