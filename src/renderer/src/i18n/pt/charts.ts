// The Brazilian Portuguese texts of charts.
import type { Catalogue } from '../en/all'

export const chartsTexts = {
  'ui.chart.showTable': 'Mostrar como tabela',
  'ui.chart.hideTable': 'Ocultar tabela',
  'ui.chart.copyCsv': 'Copiar como CSV',
  'ui.chart.time': 'Hora',
  'ui.chart.noSamples': 'Nada registrado ainda.',
  'ui.chart.collecting': 'Coletando…',
  'ui.chart.summary':
    '{label} {min} a {max} {window, select, 10m {nos últimos 10 minutos} 1h {na última hora} other {nas últimas 24 horas}}, agora {last}.',
  'ui.chart.last.10m': 'Últimos 10 minutos',
  'ui.chart.last.1h': 'Última hora',
  'ui.chart.window': 'Período mostrado',
  'ui.chart.window.10m': '10 min',
  'ui.chart.window.1h': '1 h',
  'ui.chart.window.24h': '24 h',
  'ui.chart.window.7d': '7 dias',
  'ui.chart.hashrate': 'Hashrate',
  'ui.chart.temperature': 'Temperaturas',
  'ui.chart.power': 'Consumo',
  'ui.chart.fan': 'Ventoinha',
  'ui.chart.clock': 'Clocks',
  'ui.chart.spans':
    '{count, plural, one {A mineração parou uma vez neste período.} other {A mineração parou # vezes neste período.}}',
  'ui.chart.unrecorded': 'Não registrado',
  'ui.chart.efficiency': 'Eficiência em 60 s',
  'ui.chart.powerLimit': 'Limite',
} satisfies Catalogue
