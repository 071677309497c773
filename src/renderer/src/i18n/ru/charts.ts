// The Russian texts of charts.
import type { Catalogue } from '../en/all'

export const chartsTexts = {
  'ui.chart.showTable': 'Показать таблицей',
  'ui.chart.hideTable': 'Скрыть таблицу',
  'ui.chart.copyCsv': 'Копировать как CSV',
  'ui.chart.time': 'Время',
  'ui.chart.noSamples': 'Пока ничего не записано.',
  'ui.chart.collecting': 'Сбор данных…',
  'ui.chart.summary':
    '{label}: от {min} до {max} за {window, select, 10m {последние 10 минут} 1h {последний час} other {последние 24 часа}}, сейчас {last}.',
  'ui.chart.last.10m': 'Последние 10 минут',
  'ui.chart.last.1h': 'Последний час',
  'ui.chart.window': 'Показанный период',
  'ui.chart.window.10m': '10 мин',
  'ui.chart.window.1h': '1 ч',
  'ui.chart.window.24h': '24 ч',
  'ui.chart.window.7d': '7 дней',
  'ui.chart.hashrate': 'Хешрейт',
  'ui.chart.temperature': 'Температуры',
  'ui.chart.power': 'Мощность',
  'ui.chart.fan': 'Вентилятор',
  'ui.chart.clock': 'Частоты',
  'ui.chart.spans': 'Остановок майнинга за этот период: {count, plural, one {#} few {#} many {#} other {#}}.',
  'ui.chart.unrecorded': 'Не записано',
  'ui.chart.efficiency': 'Эффективность за 60 с',
  'ui.chart.powerLimit': 'Предел',
} satisfies Catalogue
