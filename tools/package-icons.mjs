// Draws resources/icons: the program's icon in every size and container, and the tray's five states. Needs a Chromium.
//   node tools/package-icons.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runTool, ToolError } from './lib/project.mjs'
import { packagesFirst } from './lib/set-up.mjs'

await packagesFirst()
const { chromium } = await import('playwright-core')

const FOLDER = join(ROOT, 'resources', 'icons')
const APP_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024]
const ICO_SIZES = [16, 24, 32, 48, 64, 256]
/** Types of a macOS icon file that hold PNG, by edge length. */
const ICNS_TYPES = { 128: 'ic07', 256: 'ic08', 512: 'ic09', 1024: 'ic10' }
const TRAY_SIZE = 22

const TOWER = 'M8 26 14 8h4l6 18M10.5 19h11M16 8V5'
const WHEEL = '<circle cx="16" cy="11.5" r="3"'

/** A state is told by its shape first: disc, bars, triangle, octagon with a cross, nothing but an outline. */
const MARKS = {
  mining: { colour: '#5ECB8D', shape: '<circle cx="24" cy="24" r="7"/>' },
  paused: { colour: '#A3AFBF', shape: '<path d="M18 17h4.4v14H18zM25.6 17H30v14h-4.4z"/>' },
  attention: { colour: '#F2B84B', shape: '<path d="M24 15.5 32 31H16z"/>' },
  problem: {
    colour: '#F58A8A',
    shape:
      '<path fill-rule="evenodd" d="M21 16h6l5 5v6l-5 5h-6l-5-5v-6zm-.8 5.9 2.1 2.1-2.1 2.1 1.7 1.7 2.1-2.1 2.1 2.1 1.7-1.7-2.1-2.1 2.1-2.1-1.7-1.7-2.1 2.1-2.1-2.1z"/>',
  },
  off: { colour: '#76839A', shape: null },
}

function appIcon() {
  return svg(
    `<rect width="32" height="32" rx="7" fill="#161B22"/>${tower('#F0A63C')}${WHEEL} fill="#161B22" stroke="#F0A63C" stroke-width="2"/>`,
  )
}

/** In colour on a dark tile; as a macOS template in one colour, where the system paints it. */
function trayIcon({ colour, shape }, isTemplate) {
  const line = isTemplate ? '#000' : shape === null ? '#76839A' : '#F0A63C'
  const ground = isTemplate ? '' : '<rect width="32" height="32" rx="7" fill="#161B22"/>'
  const picture = `${tower(line)}${WHEEL} fill="none" stroke="${line}" stroke-width="2"/>`
  if (shape === null) return svg(`${ground}<g opacity="0.55">${picture}</g>`)
  // The tower ends where the mark begins, so that both are read at 16 pixels.
  const mask = `<mask id="m"><rect width="32" height="32" fill="#fff"/><g fill="#000" stroke="#000" stroke-width="3">${shape}</g></mask>`
  return svg(`${ground}${mask}<g mask="url(#m)">${picture}</g><g fill="${isTemplate ? '#000' : colour}">${shape}</g>`)
}

function tower(colour) {
  return `<path d="${TOWER}" fill="none" stroke="${colour}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>`
}

function svg(body) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${body}</svg>`
}

/** A Windows icon file of PNGs. @param {Map<number, Buffer>} pictures by edge length */
function icoOf(pictures) {
  const head = Buffer.alloc(6 + 16 * ICO_SIZES.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(ICO_SIZES.length, 4)
  let offset = head.length
  ICO_SIZES.forEach((size, index) => {
    const at = 6 + 16 * index
    const picture = pictures.get(size)
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(picture.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += picture.length
  })
  return Buffer.concat([head, ...ICO_SIZES.map((size) => pictures.get(size))])
}

/** A macOS icon file of PNGs. @param {Map<number, Buffer>} pictures by edge length */
function icnsOf(pictures) {
  const parts = Object.entries(ICNS_TYPES).map(([size, type]) => {
    const picture = pictures.get(Number(size))
    return Buffer.concat([block(type, picture.length), picture])
  })
  const body = Buffer.concat(parts)
  return Buffer.concat([block('icns', body.length), body])
}

function block(type, length) {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(length + 8, 4)
  return head
}

await runTool(async () => {
  const executablePath = ['/usr/bin/chromium', process.env.CHROMIUM].find((path) => path !== undefined)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] }).catch((error) => {
    throw new ToolError(`no Chromium to draw with (CHROMIUM names one): ${error.message.split('\n')[0]}`)
  })
  const page = await browser.newPage({ viewport: { width: 1024, height: 1024 } })
  const draw = async (picture, size) => {
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${picture}`)
    return page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, width: size, height: size } })
  }
  mkdirSync(FOLDER, { recursive: true })
  const save = (name, bytes) => writeFileSync(join(FOLDER, name), bytes)
  const pictures = new Map()
  for (const size of APP_SIZES) pictures.set(size, await draw(appIcon(), size))
  for (const [size, bytes] of pictures) if (size <= 512) save(`${size}x${size}.png`, bytes)
  save('icon.ico', icoOf(pictures))
  save('icon.icns', icnsOf(pictures))
  for (const [state, mark] of Object.entries(MARKS)) {
    for (const [suffix, isTemplate] of [
      ['', false],
      ['Template', true],
    ]) {
      save(`tray-${state}${suffix}.png`, await draw(trayIcon(mark, isTemplate), TRAY_SIZE))
      save(`tray-${state}${suffix}@2x.png`, await draw(trayIcon(mark, isTemplate), 2 * TRAY_SIZE))
    }
  }
  await browser.close()
})
