// The Chinese texts of charts.
import type { Catalogue } from '../en/all'

export const chartsTexts = {
  'ui.chart.showTable': '显示为表格',
  'ui.chart.hideTable': '隐藏表格',
  'ui.chart.copyCsv': '复制为 CSV',
  'ui.chart.time': '时间',
  'ui.chart.noSamples': '还没有记录。',
  'ui.chart.collecting': '正在收集…',
  'ui.chart.summary':
    '{label}：{window, select, 10m {最近 10 分钟} 1h {最近 1 小时} other {最近 24 小时}}内 {min} 至 {max}，现在 {last}。',
  'ui.chart.last.10m': '最近 10 分钟',
  'ui.chart.last.1h': '最近 1 小时',
  'ui.chart.window': '显示的时段',
  'ui.chart.window.10m': '10 分钟',
  'ui.chart.window.1h': '1 小时',
  'ui.chart.window.24h': '24 小时',
  'ui.chart.window.7d': '7 天',
  'ui.chart.hashrate': '算力',
  'ui.chart.temperature': '温度',
  'ui.chart.power': '功耗',
  'ui.chart.fan': '风扇',
  'ui.chart.clock': '频率',
  'ui.chart.spans': '{count, plural, other {此期间挖矿停止了 # 次。}}',
  'ui.chart.unrecorded': '未记录',
  'ui.chart.efficiency': '60 秒能效',
  'ui.chart.powerLimit': '上限',
} satisfies Catalogue
