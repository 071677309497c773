// The Spanish texts of charts.
import type { Catalogue } from '../en/all'

export const chartsTexts = {
  'ui.chart.showTable': 'Mostrar como tabla',
  'ui.chart.hideTable': 'Ocultar tabla',
  'ui.chart.copyCsv': 'Copiar como CSV',
  'ui.chart.time': 'Hora',
  'ui.chart.noSamples': 'Aún no hay registros.',
  'ui.chart.collecting': 'Recopilando…',
  'ui.chart.summary':
    '{label} {min} a {max} en {window, select, 10m {los últimos 10 minutos} 1h {la última hora} other {las últimas 24 horas}}, ahora {last}.',
  'ui.chart.last.10m': 'Últimos 10 minutos',
  'ui.chart.last.1h': 'Última hora',
  'ui.chart.window': 'Periodo mostrado',
  'ui.chart.window.10m': '10 min',
  'ui.chart.window.1h': '1 h',
  'ui.chart.window.24h': '24 h',
  'ui.chart.window.7d': '7 días',
  'ui.chart.hashrate': 'Hashrate',
  'ui.chart.temperature': 'Temperaturas',
  'ui.chart.power': 'Consumo',
  'ui.chart.fan': 'Ventilador',
  'ui.chart.clock': 'Frecuencias',
  'ui.chart.spans':
    '{count, plural, one {La minería se detuvo una vez en este periodo.} other {La minería se detuvo # veces en este periodo.}}',
  'ui.chart.unrecorded': 'Sin registro',
  'ui.chart.efficiency': 'Eficiencia en 60 s',
  'ui.chart.powerLimit': 'Límite',
} satisfies Catalogue
