// The German texts of charts.
import type { Catalogue } from '../en/all'

export const chartsTexts = {
  'ui.chart.showTable': 'Als Tabelle anzeigen',
  'ui.chart.hideTable': 'Tabelle ausblenden',
  'ui.chart.copyCsv': 'Als CSV kopieren',
  'ui.chart.time': 'Zeit',
  'ui.chart.noSamples': 'Noch nichts aufgezeichnet.',
  'ui.chart.collecting': 'Wird gesammelt…',
  'ui.chart.summary':
    '{label} {min} bis {max} in {window, select, 10m {den letzten 10 Minuten} 1h {der letzten Stunde} other {den letzten 24 Stunden}}, jetzt {last}.',
  'ui.chart.last.10m': 'Letzte 10 Minuten',
  'ui.chart.last.1h': 'Letzte Stunde',
  'ui.chart.window': 'Zeitraum',
  'ui.chart.window.10m': '10 min',
  'ui.chart.window.1h': '1 h',
  'ui.chart.window.24h': '24 h',
  'ui.chart.window.7d': '7 Tage',
  'ui.chart.hashrate': 'Hashrate',
  'ui.chart.temperature': 'Temperaturen',
  'ui.chart.power': 'Leistung',
  'ui.chart.fan': 'Lüfter',
  'ui.chart.clock': 'Takt',
  'ui.chart.spans':
    '{count, plural, one {Das Mining stand in dieser Zeit einmal still.} other {Das Mining stand in dieser Zeit #-mal still.}}',
  'ui.chart.unrecorded': 'Nicht aufgezeichnet',
  'ui.chart.efficiency': 'Effizienz über 60 s',
  'ui.chart.powerLimit': 'Grenze',
} satisfies Catalogue
