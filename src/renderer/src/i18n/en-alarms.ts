// The English texts of alarms.

export const alarmsTexts = {
  'ui.alarms.rules': 'Alarm rules',
  'ui.alarms.rulesText': 'Kept on this device. An alarm ends when its cause has been gone for a minute.',
  'ui.alarms.sounds': 'Sound when an alarm begins',
  'ui.alarms.ratePercent': 'Device: hashrate under … % of its usual one',
  'ui.alarms.poolLostSeconds': 'Pool lost for … seconds',
  'ui.alarms.rigOfflineSeconds': 'Rig offline for … seconds',
  'ui.alarms.rigRatePercent': 'Rig: hashrate under … % of its usual one',
  'ui.alarms.rigCelsius': 'Rig: a GPU at … °C',
  'ui.alarms.bounds': 'Enter a whole number from {min, number} to {max, number}.',
  'ui.alarms.levels': 'Alarm levels',
  'ui.alarms.levelsText': 'Of this device, in °C. They are drawn in the chart of temperatures.',
  'ui.alarms.warn': '{place}: warning',
  'ui.alarms.critical': '{place}: critical',
  'ui.alarms.order': 'The warning has to be below the critical level.',
  'ui.alarms.usual': 'Usual levels',
} as const
