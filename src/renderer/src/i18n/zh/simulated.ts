// The Chinese texts of simulated GPUs.
import type { Catalogue } from '../en/all'

export const simulatedTexts = {
  'ui.simulated.add': '添加两块模拟 GPU',
  'ui.simulated.why': '它们在 CPU 上计算少量哈希；传感器读数是模拟的。',
  'ui.simulated.faults': '模拟故障',
  'ui.simulated.faultsText': '此设备是模拟的。用它看看真实设备出故障时会怎样。',
  'ui.simulated.fault.none': '清除故障',
  'ui.simulated.fault.hang': '卡死',
  'ui.simulated.fault.error': '驱动错误',
  'ui.simulated.fault.overheat': '过热',
  'ui.simulated.fault.sensor-lost': '丢失传感器',
  'ui.simulated.fault.out-of-memory': '显存不足',
  'ui.simulated.fault.wrong-result': '错误结果',
} satisfies Catalogue
