// Labels of levels keep clear of lines and of each other; each case is checked against points along the drawn line.
import { describe, expect, it } from 'vitest'
import { type Box, crosses, type LevelLabel, type PlottedLine, placeLabels, type Scale } from './chart-canvas'

const AREA: Box = { left: 68, top: 8, right: 668, bottom: 168 }
const HEIGHT = 13
/** Seconds 0..600 and 20..115 °C over the area. */
const SCALE: Scale = { x: (second) => 68 + second, y: (celsius) => 168 - ((celsius - 20) / 95) * 160 }

const line = (read: (second: number) => number | null | undefined, isStepped = false): PlottedLine => {
  const xs = Array.from({ length: 61 }, (_, index) => index * 10)
  return { xs, ys: xs.map(read), isStepped }
}

const place = (labels: readonly LevelLabel[], lines: readonly PlottedLine[]) =>
  placeLabels(labels, {
    area: AREA,
    height: HEIGHT,
    gap: 4,
    isTaken: (box) => lines.some((one) => crosses(one, SCALE, box)),
  })
const level = (celsius: number, width = 80): LevelLabel => ({ y: SCALE.y(celsius), width })

/** Pixels of the drawn line, one for each pixel along it: computed apart from what is tested. */
function pixelsOf({ xs, ys, isStepped }: PlottedLine): readonly (readonly [number, number])[] {
  const pixels: (readonly [number, number])[] = []
  for (let index = 1; index < xs.length; index++) {
    const [before, here] = [ys[index - 1], ys[index]]
    if (before == null || here == null) continue
    const [fromX, toX] = [SCALE.x(xs[index - 1] ?? 0), SCALE.x(xs[index] ?? 0)]
    for (let step = 0; step <= 40; step++) {
      const part = step / 40
      const value = before + (here - before) * part
      pixels.push(
        isStepped ? [fromX + (toX - fromX) * part, SCALE.y(before)] : [fromX + (toX - fromX) * part, SCALE.y(value)],
      )
      if (isStepped) pixels.push([toX, SCALE.y(value)])
    }
  }
  return pixels
}

const isHit = (box: Box, one: PlottedLine): boolean =>
  pixelsOf(one).some(([x, y]) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)

describe('the label of a level', () => {
  it('stands at the left above its line where nothing is plotted', () => {
    const [box] = place([level(95)], [line(() => 40)])

    expect(box?.left).toBe(AREA.left + 4)
    expect(box?.bottom).toBeLessThan(SCALE.y(95))
  })

  it('moves below if the values run right above the level', () => {
    const [box] = place([level(70)], [line(() => 74)])

    expect(box?.left).toBe(AREA.left + 4)
    expect(box?.top).toBeGreaterThan(SCALE.y(70))
  })

  it('moves along the level, past where the values cross it', () => {
    const crossing = line((second) => (second < 300 ? 68 + (second % 40) / 4 : 40))

    const [box] = place([level(70)], [crossing])

    expect(box?.left).toBeGreaterThan(SCALE.x(250))
    expect(box !== null && box !== undefined && isHit(box, crossing)).toBe(false)
  })

  it('stays where it was while there is room, and moves once a line comes there', () => {
    const before = { ...level(70), left: 300 }
    const low = line(() => 40)
    const coming = line((second) => (second > 200 && second < 350 ? 68 + (second % 40) / 4 : 40))

    expect(place([before], [low])[0]?.left).toBe(300)
    const [moved] = place([before], [coming])

    expect(moved?.left).toBe(AREA.left + 4)
    expect(place([{ ...before, left: 900 }], [low])[0]?.left).toBe(AREA.left + 4)
  })

  it('is omitted where lines leave no room, and where it would be cut off', () => {
    const everywhere = line((second) => (second % 20 === 0 ? 60 : 85))

    expect(place([level(70)], [everywhere])).toEqual([null])
    expect(place([level(70, 700)], [])).toEqual([null])
  })

  it('stays below at the upper edge', () => {
    const [box] = place([level(114)], [])

    expect(box?.top).toBeGreaterThan(SCALE.y(114))
  })

  it('keeps clear of the line and the label of a level close by', () => {
    const [lower, upper] = place([level(90), level(91)], [])

    expect(lower?.top).toBeGreaterThan(SCALE.y(90))
    expect(upper?.bottom).toBeLessThan(SCALE.y(91))
  })

  it('stands beside the label of an equal level, where both sides of the line are taken', () => {
    const [first, second, third] = place([level(90), level(90), level(90)], [])

    expect(second?.left).toBe(first?.left)
    expect(third?.left).toBeGreaterThan(first?.right ?? 0)
  })

  it.each([false, true])('touches none of many lines (stepped: %s)', (isStepped) => {
    for (let seed = 1; seed <= 200; seed++) {
      const noise = (second: number): number => Math.abs(Math.sin(seed * 12.9898 + second * 78.233) * 43758.5453) % 1
      const lines = [0, 1, 2].map((number) =>
        line((second) => {
          const gap = noise(second + number * 7)
          if (gap < 0.04) return null
          if (gap < 0.1) return undefined
          return 55 + 12 * number + 8 * Math.sin(second / (20 + seed)) + 6 * noise(second * (number + 2))
        }, isStepped),
      )
      const boxes = place([level(60), level(70), level(85), level(105)], lines)
      for (const box of boxes) {
        if (box === null) continue
        expect(
          lines.map((one) => isHit(box, known(one))),
          `seed ${seed}`,
        ).toEqual([false, false, false])
      }
    }
  })
})

/** Without the points that are skipped, as the line is drawn. */
function known({ xs, ys, isStepped }: PlottedLine): PlottedLine {
  const kept = Array.from(xs, (_, index) => index).filter((index) => ys[index] !== undefined)
  return { xs: kept.map((index) => xs[index] ?? 0), ys: kept.map((index) => ys[index] ?? null), isStepped }
}
