// The Russian texts of simulated GPUs.
import type { Catalogue } from '../en/all'

export const simulatedTexts = {
  'ui.simulated.add': 'Добавить два симулированных GPU',
  'ui.simulated.why': 'Они считают немного хешей на CPU; показания датчиков симулированы.',
  'ui.simulated.faults': 'Симулировать сбой',
  'ui.simulated.faultsText': 'Это устройство симулировано. Посмотрите, что бывает, когда отказывает настоящее.',
  'ui.simulated.fault.none': 'Убрать сбой',
  'ui.simulated.fault.hang': 'Зависание',
  'ui.simulated.fault.error': 'Ошибка драйвера',
  'ui.simulated.fault.overheat': 'Перегрев',
  'ui.simulated.fault.sensor-lost': 'Потеря датчиков',
  'ui.simulated.fault.out-of-memory': 'Нет памяти',
  'ui.simulated.fault.wrong-result': 'Ошибочные результаты',
} satisfies Catalogue
