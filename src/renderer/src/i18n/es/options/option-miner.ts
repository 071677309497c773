// The options of the miner, GPUs, pools and rigs in Spanish.
import { optionTexts } from '../../option-text'

export const spanishMinerOptions = optionTexts({
  'miner.cpu': ['Minería con CPU', 'Minar en la CPU, además de las GPU.'],
  'miner.cpuThreads': ['Hilos de CPU', 'Hilos para minar con la CPU.'],
  'miner.devices': [
    'Dispositivos',
    'Dispositivos con los que minar: índices de headframe devices, direcciones PCI, gpu, cpu o all; un menos excluye uno (--devices=all,-1).',
  ],
  'miner.simulatedGpus': [
    'GPU simuladas',
    'Número de GPU simuladas, con sensores modelados; solo en redes de práctica y propias.',
  ],
  'miner.tstop': [
    'Pausar a la temperatura',
    'Pausar un dispositivo a esta temperatura (hotspot +15 °C, memoria +20 °C). 0 = el límite propio del dispositivo, si lo tiene.',
  ],
  'miner.tstart': ['Reanudar por debajo de', 'Reanudar por debajo de esta temperatura.'],
  'miner.hwmon': [
    'Sensores',
    'Sensores que se leen: 0 = ninguno, 1 = temperaturas y ventilador, 2 = también consumo y frecuencias.',
    'Con 0 no se pausa un dispositivo demasiado caliente.',
  ],
  'miner.dagLoadMode': [
    'Orden de creación del DAG',
    'Crear los DAG en todos los dispositivos a la vez (0) o de uno en uno (1).',
  ],
  'miner.dagDouble': [
    'Preparar el próximo DAG',
    'Crear antes el DAG de la próxima época donde la memoria alcance, para que los dispositivos cambien al instante.',
  ],
  'miner.schedule': [
    'Horario',
    'Horas de minería, hora local, con los días en que empiezan (mon-fri@22:00-06:00,sat-sun@00:00-24:00).',
  ],
  'miner.simulation': [
    'Benchmark',
    'Benchmark: calcular con el DAG de esta altura de bloque contra un objetivo inalcanzable; no se envía nada.',
  ],
  'miner.exitOnFailure': [
    'Salir si falla un dispositivo',
    'Terminar el programa con código 1 si un dispositivo falla de nuevo tras tres reinicios en una hora.',
  ],
  'miner.noEval': [
    'Omitir verificación en CPU',
    'Omitir la comprobación en la CPU para dispositivos con cien soluciones correctas seguidas.',
    'Si un dispositivo empieza a calcular mal, lo descubre el pool, no Headframe.',
  ],
  'tuning.goal': [
    'Buscar el mejor ajuste',
    'Buscar el límite de potencia y las frecuencias mientras se mina: efficiency = más hashes por julio, margin = más ingresos menos electricidad (con precio e ingresos).',
    'Cambia cómo funciona la GPU. Sus propios valores vuelven al terminar el programa o en el próximo inicio.',
  ],
  'tuning.profile': [
    'Perfil de ajuste',
    'Ajustar cada GPU como dice este perfil para su modelo mientras el minero funciona.',
    'Cambia cómo funciona la GPU. Sus propios valores vuelven al terminar el programa o en el próximo inicio.',
  ],
  'tuning.price': ['Precio del kWh', 'Precio de un kWh, para buscar el mayor margen.'],
  'tuning.income': [
    'Ingresos por MH/s y día',
    'Lo que gana un MH/s al día en la misma moneda, para buscar el mayor margen.',
  ],
  'tuning.temperature': [
    'Enfriar a partir de',
    'Mantener los dispositivos bajo esta temperatura, primero con el ventilador y luego con la frecuencia, antes de pausarlos.',
    'Fija el ventilador a mano. La GPU lo recupera al terminar el programa o en el próximo inicio.',
  ],
  'money.laxPrice': ['Precio de un LAX', 'Precio de un LAX en tu moneda, para el margen.'],
  'money.powerPrice': ['Precio de la electricidad', 'Precio de un kWh en tu moneda, para el coste de minar.'],
  'money.currency': ['Moneda', 'Código o símbolo de la moneda de todos los precios, por ejemplo EUR.'],
  'alerts.to': [
    'Destino de las alertas',
    'Dónde se comunican los incidentes: https:// (webhook), ntfy://, telegram://, smtps:// o command:/ARCHIVO; se puede repetir.',
    'Otros usuarios de este equipo pueden leer la línea de comandos; guarda los tokens y contraseñas en el archivo de configuración.',
  ],
  'alerts.quietHours': [
    'Horas de silencio de las alertas',
    'Horas de silencio de las alertas, hora local: solo se envían los problemas.',
  ],
  'alerts.repeatMinutes': [
    'Repetir la alerta tras',
    'Enviar de nuevo un incidente pasado este tiempo mientras nadie lo confirme; 0 = nunca.',
  ],
  'alerts.escalateMinutes': [
    'Escalar la alerta tras',
    'Enviar un problema a todas las direcciones, también a las que llevan #escalation, si nadie lo ha confirmado en este tiempo; 0 = nunca.',
  ],
  'gpu.opencl': ['Usar OpenCL', 'Usar solo GPU OpenCL. Añade -U para usar también CUDA.'],
  'gpu.cuda': ['Usar CUDA', 'Usar solo GPU CUDA. Añade -G para usar también OpenCL.'],
  'gpu.clDevices': [
    'Dispositivos OpenCL',
    'Dispositivos OpenCL que se usan, por su índice OpenCL; CPU solo si se nombran aquí.',
  ],
  'gpu.clCpu': ['OpenCL en CPU', 'Usar también CPU mediante OpenCL. Más lento que --cpu; para probar OpenCL.'],
  'gpu.clLocalWork': ['Tamaño de grupo OpenCL', 'Tamaño local de trabajo de OpenCL.'],
  'gpu.clGlobalWork': ['Grupos OpenCL por lanzamiento', 'Grupos de trabajo OpenCL por lanzamiento.'],
  'gpu.cuDevices': ['Dispositivos CUDA', 'Dispositivos CUDA que se usan, por su índice CUDA.'],
  'gpu.cuBlockSize': ['Tamaño de bloque CUDA', 'Hilos CUDA por bloque.'],
  'gpu.cuGridSize': ['Bloques CUDA por lanzamiento', 'Bloques CUDA por lanzamiento.'],
  'gpu.cuSchedule': [
    'Modo de espera CUDA',
    'Cómo esperan los hilos CUDA a la GPU: sync duerme; spin y yield ocupan un núcleo de CPU cada uno.',
  ],
  'pool.urls': [
    'Pools',
    'Pool o nodo getwork en el que minar; repetible, en orden de respaldo. exit como último detiene ahí el programa.',
  ],
  'pool.user': [
    'Usuario del pool',
    'Usuario para los pools, aparte de su dirección y tal cual; una dirección puede llevar el suyo.',
  ],
  'pool.worker': ['Nombre del worker', 'Nombre de este rig para los pools, aparte de su dirección y tal cual.'],
  'pool.password': ['Contraseña del pool', 'Contraseña para los pools, aparte de su dirección y tal cual.'],
  'pool.proxy': ['Proxy de los pools', 'Proxy SOCKS5 para los pools; resuelve sus nombres, también los de Tor.'],
  'pool.reportHashrate': ['Informar del hashrate', 'Informar del hashrate al pool una vez por minuto.'],
  'pool.workTimeoutMs': ['Tiempo máx. sin trabajo', 'Dejar un pool tras este tiempo sin un trabajo nuevo.'],
  'pool.responseTimeoutMs': ['Tiempo máx. de respuesta', 'Dejar un pool tras este tiempo sin respuesta.'],
  'pool.retryDelayMs': [
    'Espera del primer reintento',
    'Espera antes de la primera reconexión; se duplica hasta un minuto.',
  ],
  'pool.retryMax': [
    'Reintentos antes de cambiar',
    'Intentos de conexión antes de probar el siguiente pool; 0 = sin límite.',
  ],
  'pool.failoverMinutes': [
    'Volver al primer pool tras',
    'Volver al primer pool cuando lleve este tiempo funcionando; 0 = nunca.',
  ],
  'pool.recheckMs': ['Pedir trabajo cada', 'Cada cuánto se pide trabajo a un nodo getwork.'],
  'pool.ergodicity': [
    'Nonce inicial',
    'Cuándo se sortea un nonce inicial nuevo: 0 = al arrancar, 1 = en cada conexión, 2 = en cada trabajo.',
  ],
  'pool.certificateFile': [
    'Certificados de pools',
    'Certificados de CA (PEM) para pools en lugar de los del sistema; también SSL_CERT_FILE.',
  ],
  'pool.noVerify': [
    'Omitir verificación de certificados',
    'No verificar los certificados de los pools; también SSL_NOVERIFY. Para un solo pool, añade ?verify=0.',
    'Cualquiera en el camino de red puede quedarse con los shares.',
  ],
  'rigs.list': [
    'Rigs',
    'Rig que se supervisa por su puerto de control, con su token tras # y etiquetas detrás (group=cellar); repetible.',
    'Otros usuarios de este equipo pueden leer una línea de comandos; para tokens, mejor --rig-file.',
  ],
  'rigs.file': [
    'Archivo de rigs',
    'Archivo con un rig por línea, como en --rig; las líneas que empiezan por # son comentarios.',
  ],
  'rigs.intervalSeconds': ['Actualizar rigs cada', 'Cada cuánto se consulta cada rig.'],
  'rigs.monitor': ['Solo supervisar', 'Solo supervisar otros rigs: sin minar.'],
})
