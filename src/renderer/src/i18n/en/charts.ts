// The English texts of charts.

export const chartsTexts = {
  'ui.chart.hashrate': 'Hashrate',
  'ui.chart.temperature': 'Temperatures',
  'ui.chart.fan': 'Fan',
  'ui.chart.clock': 'Clocks',
  'ui.chart.efficiency': 'Efficiency over 60 s',
  'ui.chart.powerLimit': 'Limit',
} as const
