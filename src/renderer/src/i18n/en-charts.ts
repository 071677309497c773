// The English texts of charts.

export const chartsTexts = {
  'ui.chart.showTable': 'Show as table',
  'ui.chart.hideTable': 'Hide table',
  'ui.chart.copyCsv': 'Copy as CSV',
  'ui.chart.time': 'Time',
  'ui.chart.noSamples': 'Nothing recorded yet.',
  'ui.chart.collecting': 'Collecting…',
  'ui.chart.summary': '{label} {min} to {max}, now {last}.',
  'ui.chart.last.10m': 'Last 10 minutes',
  'ui.chart.last.1h': 'Last hour',
  'ui.chart.window': 'Time shown',
  'ui.chart.window.10m': '10 min',
  'ui.chart.window.1h': '1 h',
  'ui.chart.window.24h': '24 h',
  'ui.chart.hashrate': 'Hashrate',
  'ui.chart.temperature': 'Temperatures',
  'ui.chart.power': 'Power',
  'ui.chart.fan': 'Fan',
  'ui.chart.clock': 'Clocks',
  'ui.chart.spans':
    '{count, plural, one {It stood still once in this time.} other {It stood still # times in this time.}}',
  'ui.chart.unrecorded': 'Not recorded',
  'ui.chart.backToLive': 'Back to live',
  'ui.chart.efficiency': 'Efficiency over 60 s',
  'ui.chart.powerLimit': 'Limit',
} as const
