// The Russian texts of alarms.
import type { Catalogue } from '../en/all'

export const alarmsTexts = {
  'ui.alarm.device': 'Устройство {index}: сбой: {reason}',
  'ui.alarm.hot':
    'Устройство {index}: {place, select, core {{core}} hotspot {{hotspot}} other {{memory}}} {celsius, number} °C, порог {limit, number} °C',
  'ui.alarm.fan': 'Устройство {index}: вентилятор {percent, number} % уже 5 минут',
  'ui.alarm.power': 'Устройство {index}: на пределе мощности {limit, number} Вт уже 5 минут',
  'ui.alarm.slow': 'Устройство {index}: {percent, number} % обычного хешрейта уже 5 минут',
  'ui.alarm.rejected': 'Устройство {index}: отклонено {percent, number} % шар за последние 10 минут',
  'ui.alarm.failed': 'Устройство {index}: ошибочных результатов за 10 минут: {count, number}; снизьте частоты',
  'ui.alarm.poolLost': 'Потеряно соединение с {host}',
  'ui.alarm.rigOffline': 'Риг {name} не в сети: {reason}',
  'ui.alarm.rigSlow': 'Риг {name}: {percent, number} % обычного хешрейта уже 5 минут',
  'ui.alarm.rigHot': 'Риг {name}: GPU нагрелся до {celsius, number} °C',
  'ui.alarms.title': 'Тревоги',
  'ui.alarms.bar':
    '{count, plural, one {Тревога:} few {# тревоги, первая:} many {# тревог, первая:} other {# тревоги, первая:}}',
  'ui.alarms.acknowledge': 'Принять',
  'ui.alarms.acknowledgeAll':
    '{count, plural, one {Принять} few {Принять все #} many {Принять все #} other {Принять все #}}',
  'ui.alarms.acknowledgeOne': 'Принять: {what}',
  'ui.alarms.acknowledged': 'принята',
  'ui.alarms.since': 'с {time}',
  'ui.alarms.past': 'Прошедшие',
  'ui.alarms.show': 'Показать',
  'ui.alarms.none': 'Активных тревог нет.',
  'ui.alarms.rules': 'Правила тревог',
  'ui.alarms.rulesText': 'Хранятся на этом устройстве. Тревога кончается через минуту после её причины.',
  'ui.alarms.sounds': 'Звук, когда начинается тревога',
  'ui.alarms.ratePercent': 'Устройство: хешрейт ниже … % обычного',
  'ui.alarms.poolLostSeconds': 'Пул: потерян … секунд',
  'ui.alarms.rigOfflineSeconds': 'Риг: не в сети … секунд',
  'ui.alarms.rigRatePercent': 'Риг: хешрейт ниже … % обычного',
  'ui.alarms.rigCelsius': 'Риг: GPU достиг … °C',
  'ui.alarms.bounds': 'Введите целое число от {min, number} до {max, number}.',
  'ui.alarms.levels': 'Пороги тревог',
  'ui.alarms.levelsText': 'Для этого устройства, в °C. Видны на графике температуры.',
  'ui.alarms.warn': '{place}: предупреждение',
  'ui.alarms.critical': '{place}: критично',
  'ui.alarms.order': 'Предупреждение должно быть ниже критического порога.',
  'ui.alarms.usual': 'Пороги по умолчанию',
} satisfies Catalogue
