// The figures of a GPU day as a self-contained page: no script, nothing loaded from elsewhere.

const escaped = (text) =>
  String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c])
const mega = (rate) => (rate === null || rate === undefined ? '-' : `${(rate / 1e6).toFixed(2)} MH/s`)
const yes = (value) => (value === null || value === undefined ? '-' : value ? 'yes' : 'NO')

/** @returns {string} HTML */
export function pageOf({ quick, devices, pool, reference, seconds }) {
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>GPU benchmark</title>',
    '<style>body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}td,th{border:1px solid #aaa;padding:.2em .6em;text-align:right}</style>',
    '<h1>GPU benchmark</h1>',
    quick
      ? '<p><strong>A quick run on processors, with small datasets: its figures say nothing about cards.</strong></p>'
      : '',
    ...devices.map(deviceSection),
    devices.length === 0 ? '<p>No device was found.</p>' : '',
    '<h2>Pool</h2>',
    pool === null ? '<p>Not run.</p>' : `<pre>${escaped(JSON.stringify(pool, null, 2))}</pre>`,
    reference === null ? '' : `<h2>The other miner, by its own word</h2><p>${mega(reference)}</p>`,
    `<p>Taken in ${seconds.toFixed(0)} s.</p></html>`,
  ].join('\n')
}

function deviceSection(device) {
  const { name, kind, driver, failed } = device
  const head = `<h2>${escaped(name)} (${escaped(kind)} ${escaped(driver ?? '')})</h2>`
  if (failed !== undefined) return `${head}<p>Failed: ${escaped(failed)}</p>`
  const { hashesPerSecond, memoryLimit, watts, kernelSeconds, switchMs } = device
  const share =
    memoryLimit === null
      ? ''
      : `, ${((100 * hashesPerSecond) / memoryLimit).toFixed(1)}% of the memory's ${mega(memoryLimit)}`
  const power = watts === null ? '' : `, ${watts.toFixed(0)} W, ${((watts / hashesPerSecond) * 1e6).toFixed(2)} J/MH`
  return [
    head,
    `<p>${mega(hashesPerSecond)}${share}${power}. Kernels ready after ${kernelSeconds.toFixed(1)} s. A new job's first result came after ${switchMs.median.toFixed(0)} ms in the median, ${switchMs.most.toFixed(0)} ms at most.</p>`,
    table(
      ['epoch', 'dataset', 'made in', 'items right', 'search right', 'as recorded'],
      device.epochs.map(({ epoch, datasetBytes, leftOut, ...rest }) =>
        leftOut === undefined
          ? [
              epoch,
              mib(datasetBytes),
              `${rest.datasetSeconds.toFixed(1)} s`,
              yes(rest.itemsRight),
              yes(rest.searchRight),
              yes(rest.recorded),
            ]
          : [epoch, mib(datasetBytes), leftOut, '', '', ''],
      ),
    ),
    table(
      ['kernel', 'group', 'nonces a launch', 'rate'],
      device.trials.map((trial) => [trial.variant, trial.groupSize, trial.batchHashes, mega(trial.hashesPerSecond)]),
    ),
  ].join('\n')
}

const mib = (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`
const row = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
const table = (heads, rows) => `<table>${row(heads, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`
