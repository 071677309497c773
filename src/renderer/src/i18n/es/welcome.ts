// The Spanish texts of the first steps.
import type { Catalogue } from '../en/all'

export const welcomeTexts = {
  'ui.welcome.title': 'Configurar la minería',
  'ui.welcome.computer': 'Este equipo',
  'ui.welcome.card':
    '{network, select, practice {Estás en la red de práctica. Configura la minería real en unos pasos.} other {Termina la configuración: cuenta de pago, dispositivos, y solo o pool.}}',
  'ui.welcome.later': 'Ahora no',
  'ui.welcome.start': 'Empezar a minar',
  'ui.welcome.leave': 'Ir al resumen',
  'ui.welcome.step.network': 'Red',
  'ui.welcome.step.folder': 'Carpeta de datos',
  'ui.welcome.step.account': 'Cuenta',
  'ui.welcome.step.work': 'Solo o pool',
  'ui.welcome.step.sharing': 'Acceso',
  'ui.welcome.network.practice':
    'Una cadena privada en este equipo con prueba de trabajo fácil. Pruébalo todo en segundos, sin nada en juego.',
  'ui.welcome.network.main':
    'La cadena real. Las monedas tienen valor, se encuentra un bloque cada 10 minutos de media y necesitas una GPU con memoria suficiente para ganar algo.',
  'ui.welcome.network.test':
    'Una cadena pública para pruebas. Funciona como la red principal, pero las monedas no tienen valor.',
  'ui.welcome.folderText': 'Aquí guarda Headframe la cadena, los archivos de clave, los logs y los ajustes.',
  'ui.welcome.needed': 'Recomendado',
  'ui.welcome.noRoom': 'A este disco le queda poco espacio. La sincronización se detiene antes de que se llene.',
  'ui.welcome.payHere': 'Usar esta cuenta',
  'ui.welcome.payTo': 'Dirección de pago',
  'ui.welcome.payToHint':
    'Déjalo vacío para conservar la actual. Para minar solo hace falta la dirección, no su clave.',
  'ui.welcome.devicesText':
    'Headframe encontró estos dispositivos. Mídelos con el tamaño real de la red principal: no se mina nada y la minería se pausa mientras tanto.',
  'ui.welcome.measure': 'Medir este equipo',
  'ui.welcome.measureStop': 'Detener medición',
  'ui.welcome.measurePreparing':
    'Se crea el DAG completo. Una GPU tarda hasta un minuto; una CPU, varios. Después se mide durante 20 s.',
  'ui.welcome.measureFailed': 'No se midió.',
  'ui.welcome.measureDone': 'Medido a tamaño real: {hashrate}.',
  'ui.welcome.measureLeft': 'Midiendo, quedan {seconds} s',
  'ui.welcome.soloText':
    'Bloques enteros, rara vez. Te quedas con toda la recompensa; cuánto tarda un bloque es suerte.',
  'ui.welcome.poolText': 'Pagos pequeños, a menudo. El pool paga por tus shares y se queda una comisión.',
  'ui.welcome.wait10': '10 % de probabilidad de un bloque en',
  'ui.welcome.wait50': '50 % de probabilidad en',
  'ui.welcome.wait90': '90 % de probabilidad en',
  'ui.welcome.waitUnknown':
    'El resumen muestra cuánto tarda un bloque en esa red cuando sus cabeceras estén sincronizadas.',
  'ui.welcome.local': 'Solo este equipo',
  'ui.welcome.localText': 'Otros equipos no pueden conectarse.',
  'ui.welcome.home': 'Teléfonos y equipos de tu red doméstica',
  'ui.welcome.homeText':
    'Ofrece el panel en tu red doméstica. Quien tenga el token puede verlo. El control sigue desactivado y las claves se quedan en este equipo.',
  'ui.welcome.tokenText': 'Tras reiniciar, escanea este código con tu teléfono o introduce este token:',
  'ui.welcome.qr': 'Código QR con la dirección del panel y el token',
  'ui.welcome.noAddress': 'Este equipo no está conectado a una red doméstica.',
  'ui.welcome.needsAccount': 'No has elegido una cuenta de pago. El nodo se sincroniza, pero no se mina nada.',
  'ui.welcome.commandLine': 'Equivalente en la línea de comandos',
  'ui.welcome.failed': 'No se puede guardar --{flag}: {reason}',
  'ui.welcome.done': 'Listo. Headframe funciona con estos ajustes.',
  'ui.welcome.live': 'Qué hace Headframe ahora',
  'ui.welcome.live.starting': 'Iniciando el minero',
  'ui.welcome.live.noPool': 'Aún no hay pool. Añade uno en Pools.',
  'ui.welcome.live.connecting': 'Conectando a {host}',
  'ui.welcome.live.pool': 'Conectado a {host}',
  'ui.welcome.live.noWork': 'Esperando que tu nodo dé trabajo',
  'ui.welcome.live.node': 'Tu nodo da trabajo',
  'ui.welcome.live.failed': '{name} falló: {reason}',
  'ui.welcome.live.mining':
    '{count, plural, one {# dispositivo mina a {hashrate}} other {# dispositivos minan a {hashrate}}}',
  'ui.welcome.live.paused': 'Todos los dispositivos están en pausa',
  'ui.welcome.live.noDevice': 'Aún no mina ningún dispositivo',
  'ui.welcome.live.share': 'Share aceptado: la minería funciona',
  'ui.welcome.live.block': 'Bloque encontrado: la minería funciona',
  'ui.welcome.live.noProof': 'Aún no hay share',
  'ui.welcome.live.shareEvery': 'Esperando el primer share, unos {duration} de media',
  'ui.welcome.live.blockEvery': 'Buscando un bloque, unos {duration} de media',
  'ui.welcome.practiceStays':
    'Tu cuenta de práctica se queda en la red de práctica: su contraseña está guardada en texto sin cifrar. Crea o importa una cuenta, o introduce una dirección.',
  'ui.welcome.practiceOnly':
    'Esta es tu cuenta de práctica. Elige otra dirección: su contraseña está guardada en texto sin cifrar.',
  'ui.welcome.willRestart': 'Headframe se reinicia con estos ajustes. Esta página se reconecta en unos segundos.',
  'ui.welcome.restarting': 'Reiniciando con tus ajustes…',
  'ui.welcome.doneRestart':
    'Guardado, pero Headframe no puede reiniciarse solo: {reason}. Ciérralo y ábrelo de nuevo para usar estos ajustes.',
  'ui.welcome.oldElectron':
    'Este Electron ({version}) no recibe correcciones de seguridad, así que tras el reinicio Headframe no abre ninguna ventana en esta red. Sigue funcionando: abre en tu navegador el enlace de {file}. Para conservar la ventana, instala antes un Electron actual.',
  'ui.welcome.networkDrive':
    'Esta carpeta está en una unidad de red. La cadena necesita un disco local rápido; elige otra carpeta.',
  'ui.welcome.decline': 'Omitir la configuración',
} satisfies Catalogue
