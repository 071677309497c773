// GET /getstat1: the family's status page for old browsers and farm panels: one table, no script, 0 for what no sensor tells.

import type { ShareCounts } from '../stats/snapshot'
import { modeOf } from './line-stats'
import type { Summary, SummaryGpu } from './summary'

/** The page needs only its own style. */
export const STAT_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

const COLUMNS = ['PCI', 'Device', 'Mode', 'Paused', 'Hash Rate', 'Solutions', 'Temp.', 'Fan %', 'Power']
const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif}table{border-collapse:collapse}' +
  'td,th{border:1px solid #888;padding:3px 8px;text-align:right}.text{text-align:left}.paused{background:#fdd}'
const UNITS = ['h', 'kh', 'Mh', 'Gh', 'Th'] as const

/** The page as HTML. */
export function statPage({ miner, pool, hashrate, shares, gpus }: Summary): string {
  const name = `${miner.name}-${miner.version}`
  const power = gpus.reduce((sum, gpu) => sum + gpu.power, 0)
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="30">',
    `<title>${escaped(name)}</title><style>${STYLE}</style></head><body>`,
    `<p>${escaped(name)} - ${hoursMinutes(miner.uptime)} - ${escaped(pool.url)}</p>`,
    `<table><thead><tr>${COLUMNS.map((column) => `<th>${column}</th>`).join('')}</tr></thead><tbody>`,
    ...gpus.map(row),
    `</tbody><tfoot><tr><td class="text" colspan="4">Total</td><td>${rate(hashrate.now)}</td>`,
    `<td>${solutions(shares)}</td><td></td><td></td><td>${power.toFixed(0)}</td></tr></tfoot></table>`,
    '</body></html>',
    '',
  ].join('\n')
}

function row(gpu: SummaryGpu): string {
  const texts = [gpu.pci, gpu.name, modeOf(gpu.backend), gpu.paused ? gpu.pause_reason : 'No']
  const numbers = [
    rate(gpu.hashrate.now),
    solutions(gpu.shares),
    gpu.temperature.core.toFixed(0),
    gpu.fan.toFixed(0),
    gpu.power.toFixed(0),
  ]
  const cells = [
    ...texts.map((text) => `<td class="text">${escaped(text)}</td>`),
    ...numbers.map((text) => `<td>${text}</td>`),
  ]
  return `<tr${gpu.paused ? ' class="paused"' : ''}>${cells.join('')}</tr>`
}

function solutions({ accepted, rejected, failed }: ShareCounts): string {
  return `A${accepted}:R${rejected}:F${failed}`
}

/** Two decimals in the largest unit that keeps a digit before the point. */
function rate(hashes: number): string {
  const step = Math.min(UNITS.length - 1, hashes < 1 ? 0 : Math.floor(Math.log10(hashes) / 3))
  return `${(hashes / 1_000 ** step).toFixed(2)} ${UNITS[step] ?? 'h'}`
}

function hoursMinutes(seconds: number): string {
  return `${Math.floor(seconds / 3_600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}`
}

function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark)
}
