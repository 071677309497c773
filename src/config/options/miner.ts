// Options of the miner.
import { option, section, type ValueType } from '../schema'
import { miningHours } from '../values/mining-hours'
import { choice, decimal, flag, integer, listType, path, profileName, toggle } from '../values/value-types'

const WORD = /^-?(?:all|gpu|cpu|\d{1,3}|(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])$/

/** Words in lower case, in the given order. */
export function deviceList(): ValueType<readonly string[]> {
  return listType({
    placeholder: 'LIST',
    expected: 'a comma list of all, gpu, cpu, positions as headframe devices shows them, and PCI addresses (01:00.0)',
    takesNumbers: true,
    read: (words) => {
      const lower = words.map((word) => word.trim().toLowerCase())
      return lower.length > 0 && lower.every((word) => WORD.test(word)) ? lower : null
    },
  })
}

const MAX_DRIVER_INDEX = 255

function driverIndices(): ValueType<readonly number[]> {
  const isIndex = (word: string): boolean => /^\d{1,3}$/.test(word) && Number(word) <= MAX_DRIVER_INDEX
  return listType({
    placeholder: 'LIST',
    expected: `a comma list of numbers in 0..${MAX_DRIVER_INDEX}`,
    takesNumbers: true,
    isSet: true,
    read: (words) => (words.length > 0 && words.every(isIndex) ? [...new Set(words.map(Number))] : null),
  })
}

export const gpuSection = section({
  name: 'gpu',
  title: 'GPUs',
  commands: ['run', 'miner', 'devices'],
  options: {
    opencl: toggle({
      flag: 'opencl',
      short: 'G',
      defaultText: 'CUDA and OpenCL are both looked for',
      help: 'Use OpenCL GPUs only. Add -U to use CUDA as well.',
    }),
    cuda: toggle({
      flag: 'cuda',
      short: 'U',
      defaultText: 'CUDA and OpenCL are both looked for',
      help: 'Use CUDA GPUs only. Add -G to use OpenCL as well.',
    }),
    clDevices: option({
      flag: 'cl-devices',
      type: driverIndices(),
      default: () => [],
      defaultText: 'every GPU of OpenCL',
      help: 'OpenCL devices to use, by their OpenCL index; CPUs only when named here.',
    }),
    clCpu: toggle({
      flag: 'cl-cpu',
      help: 'Also use CPUs through OpenCL. Slower than --cpu; for testing OpenCL.',
    }),
    clLocalWork: option({
      flag: 'cl-local-work',
      type: choice(['64', '128', '256']),
      defaultText: 'found by trying while it mines',
      help: 'OpenCL local work size.',
    }),
    clGlobalWork: option({
      flag: 'cl-global-work',
      type: integer(1, 1_048_576, 'GROUPS'),
      defaultText: 'as many as take 20 to 50 ms',
      help: 'OpenCL work groups per launch.',
    }),
    cuDevices: option({
      flag: 'cu-devices',
      type: driverIndices(),
      default: () => [],
      defaultText: 'every GPU of CUDA',
      help: 'CUDA devices to use, by their CUDA index.',
    }),
    cuBlockSize: option({
      flag: 'cu-block-size',
      type: choice(['32', '64', '128', '256']),
      defaultText: 'found by trying while it mines',
      help: 'CUDA threads per block.',
    }),
    cuGridSize: option({
      flag: 'cu-grid-size',
      type: integer(1, 131_072, 'BLOCKS'),
      defaultText: 'as many as take 20 to 50 ms',
      help: 'CUDA blocks per launch.',
    }),
    cuSchedule: option({
      flag: 'cu-schedule',
      type: choice(['auto', 'spin', 'yield', 'sync']),
      default: () => 'sync',
      help: 'How CUDA threads wait for the GPU: sync sleeps; spin and yield use one CPU core each.',
    }),
  },
})

export const tuningSection = section({
  name: 'tuning',
  title: 'Tuning of GPUs',
  commands: ['run', 'miner'],
  options: {
    goal: option({
      flag: 'tune',
      type: choice(['efficiency', 'margin']),
      defaultText: 'off',
      help: 'Search power limit and clocks while mining: efficiency = most hashes per joule, margin = most income minus power cost (needs --tune-price and --tune-income).',
      danger:
        'Changes how the GPU runs. Its original settings are restored when the program exits, or at the next start.',
    }),
    profile: option({
      flag: 'tune-profile',
      type: profileName(),
      help: "Apply this profile's settings to each GPU model while the miner runs.",
      danger:
        'Changes how the GPU runs. Its original settings are restored when the program exits, or at the next start.',
    }),
    price: option({
      flag: 'tune-price',
      type: decimal(0, 1_000, 'PER_KWH'),
      help: 'Price of a kWh, for --tune margin.',
    }),
    income: option({
      flag: 'tune-income',
      type: decimal(0, 1_000_000, 'PER_MHS'),
      help: 'What one MH/s earns a day in the same money, for --tune margin.',
    }),
    temperature: option({
      flag: 'tune-temperature',
      type: integer(40, 100, 'CELSIUS'),
      defaultText: 'off',
      unit: '°C',
      help: 'Keep devices below this temperature, first with the fan, then with clocks, before --tstop pauses them.',
      danger: 'Controls the fan manually. The GPU takes control back when the program exits, or at the next start.',
    }),
  },
})

export const minerSection = section({
  name: 'miner',
  title: 'Miner',
  commands: ['run', 'miner', 'devices'],
  options: {
    cpu: option({
      flag: 'cpu',
      type: flag(),
      default: () => true,
      help: 'Mine on the CPU, in addition to any GPUs.',
      applies: 'live',
    }),
    cpuThreads: option({
      flag: 'cpu-threads',
      type: integer(1, 256),
      default: () => 1,
      help: 'CPU mining threads.',
      applies: 'live',
    }),
    devices: option({
      flag: 'devices',
      type: deviceList(),
      default: () => [],
      defaultText: 'every GPU; the CPU when there is none',
      help: 'Devices to mine with: indexes from headframe devices, PCI addresses, gpu, cpu or all; a minus excludes one (--devices=all,-1).',
      applies: 'live',
    }),
    simulatedGpus: option({
      flag: 'simulated-gpus',
      type: integer(0, 16),
      default: () => 0,
      help: 'Number of simulated GPUs, with modeled sensors; practice and custom networks only.',
    }),
    tstop: option({
      flag: 'tstop',
      type: integer(0, 100, 'CELSIUS'),
      default: () => 0,
      defaultText: "0: each device's own limit, if it has one",
      help: "Pause a device at this temperature (hotspot +15 °C, memory +20 °C). 0 = the device's own limit, if it has one.",
      unit: '°C',
      applies: 'live',
    }),
    tstart: option({
      flag: 'tstart',
      type: integer(1, 99, 'CELSIUS'),
      defaultText: '10 under --tstop',
      help: 'Resume below this temperature.',
      unit: '°C',
      applies: 'live',
    }),
    hwmon: option({
      flag: 'hwmon',
      aliases: [{ flag: 'HWMON' }],
      type: choice(['0', '1', '2']),
      default: () => '2',
      help: 'Sensors to read: 0 = none, 1 = temperatures and fan, 2 = also power and clocks.',
      danger: 'With 0, an overheating device is not paused.',
    }),
    dagLoadMode: option({
      flag: 'dag-load-mode',
      short: 'L',
      type: choice(['0', '1']),
      default: () => '0',
      help: 'Build DAGs on all devices at once (0) or one device at a time (1).',
    }),
    dagDouble: toggle({
      flag: 'dag-double',
      help: "Build the next epoch's DAG ahead where memory allows, so that devices switch instantly.",
    }),
    schedule: option({
      flag: 'schedule',
      type: miningHours(),
      default: () => [],
      defaultText: 'always',
      help: 'Mining hours, local time, with the days they start on (mon-fri@22:00-06:00,sat-sun@00:00-24:00).',
      applies: 'live',
    }),
    simulation: option({
      flag: 'simulation',
      short: 'Z',
      aliases: [{ flag: 'benchmark' }],
      type: integer(0, 23_500_799, 'BLOCK'),
      defaultText: 'off',
      help: 'Benchmark: hash with the DAG of this block height against an unreachable target; nothing is submitted.',
    }),
    watchdogCommand: option({
      flag: 'watchdog-command',
      type: path('file', 'FILE'),
      help: 'Program to start when a device fails again after three restarts in an hour; it gets the device and the reason.',
      applies: 'process',
      // A file that a web page may write must not name a program to run.
      notInFile: true,
      danger: "The program runs with Headframe's rights.",
    }),
    exitOnFailure: toggle({
      flag: 'exit',
      help: 'Exit with code 1 when a device fails again after three restarts in an hour.',
      applies: 'process',
    }),
    noEval: toggle({
      flag: 'noeval',
      help: 'Skip the CPU check for devices with a hundred correct solutions in a row.',
      danger: 'If a device starts returning wrong results, the pool notices it, not Headframe.',
    }),
  },
})
