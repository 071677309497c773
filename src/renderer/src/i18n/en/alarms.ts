// The English texts of alarms.

export const alarmsTexts = {
  'ui.alarms.rules': 'Alarm rules',
  'ui.alarms.rulesText': 'Kept on this device. An alarm ends one minute after its cause is gone.',
  'ui.alarms.sounds': 'Play a sound when an alarm starts',
  'ui.alarms.ratePercent': 'Device: hashrate below … % of usual',
  'ui.alarms.poolLostSeconds': 'Pool: lost for … seconds',
  'ui.alarms.rigOfflineSeconds': 'Rig: offline for … seconds',
  'ui.alarms.rigRatePercent': 'Rig: hashrate below … % of usual',
  'ui.alarms.rigCelsius': 'Rig: a GPU reaches … °C',
  'ui.alarms.bounds': 'Enter a whole number from {min, number} to {max, number}.',
  'ui.alarms.levels': 'Alarm levels',
  'ui.alarms.levelsText': 'For this device, in °C. The temperature chart shows them.',
  'ui.alarms.warn': '{place}: warning',
  'ui.alarms.critical': '{place}: critical',
  'ui.alarms.order': 'Set the warning below the critical level.',
  'ui.alarms.usual': 'Use default levels',
} as const
