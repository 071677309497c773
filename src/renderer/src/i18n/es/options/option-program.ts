// The options of the program, the control port and the signer in Spanish.
import { optionTexts } from '../../option-text'

export const spanishProgramOptions = optionTexts({
  'app.logLevel': ['Nivel de log', 'Nivel mínimo del log.'],
  'app.logJson': ['Log en JSON', 'Escribir el log como JSON en la salida de errores, un objeto por línea.'],
  'app.logFileSize': ['Tamaño del log', 'Tamaño a partir del cual empieza un archivo de log nuevo.'],
  'app.logFiles': ['Archivos de log', 'Archivos de log que se conservan, incluido el actual.'],
  'update.check': [
    'Buscar actualizaciones',
    'Cuándo buscar una versión nueva: manual = cuando lo pida, daily = una vez al día, never = nunca se consulta la red.',
  ],
  'update.url': [
    'Dirección de actualizaciones',
    'Dirección del archivo firmado update.json de una versión; sus paquetes están al lado.',
  ],
  'app.headless': ['Sin ventana', 'Funcionar sin ventana; el panel se abre en un navegador.'],
  'app.welcome': [
    'Ofrecer configuración',
    'Ofrecer los pasos de configuración en la ventana; se desactiva al terminarlos.',
  ],
  'app.network': ['Red', 'Red que se usa; practice es una cadena privada en este equipo, sin nada en juego.'],
  'app.genesis': [
    'Archivo génesis',
    'Archivo génesis (JSON) de una red propia; queda en la carpeta de datos para los próximos arranques.',
  ],
  'app.networkId': ['ID de red', 'ID de red de una red propia.'],
  'app.xhashMode': [
    'Tamaño de la prueba de trabajo',
    'Tamaños de la prueba de trabajo en una red propia; test usa 1024 y 32 768 bytes en cada época.',
  ],
  'desktop.closeToTray': ['Cerrar a la bandeja', 'Seguir en la bandeja al cerrar la ventana.'],
  'desktop.autostart': ['Iniciar con el sistema', 'Iniciar al entrar en la sesión, en la bandeja.'],
  'desktop.notify': [
    'Notificaciones',
    'Notificaciones que se muestran: solicitud pendiente, GPU en pausa por calor, fallo de GPU, bloque encontrado (block) o que no se quedó en la cadena (side-block), recompensa madura, pool perdido o cambiado, aviso del pool, rig desconectado, nodo retrasado, disco casi lleno, informe de la mañana.',
  ],
  'desktop.quietHours': [
    'Horas de silencio',
    'Horas de silencio, hora local: solo se muestran las solicitudes pendientes.',
  ],
  'stratum.bind': [
    'Dirección Stratum para tus rigs',
    'Dirección en la que tus otros rigs minan para tu nodo por Stratum; off = ninguna.',
  ],
  'stratum.token': [
    'Contraseña de los rigs',
    'Contraseña con la que debe iniciar sesión cada rig.',
    'Otros usuarios de este equipo pueden leer una línea de comandos; mejor --stratum-token-file.',
  ],
  'stratum.tokenFile': ['Archivo de contraseña de los rigs', 'Archivo con esa contraseña en su única línea.'],
  'stratum.allow': ['Redes permitidas', 'Redes cuyos rigs pueden conectarse, por ejemplo 192.168.1.0/24.'],
  'stratum.certificateFile': ['Certificado TLS', 'Certificado PEM: el puerto Stratum solo habla entonces TLS.'],
  'stratum.keyFile': ['Clave privada TLS', 'Clave privada PEM de ese certificado.'],
  'api.bind': [
    'Dirección del panel',
    'Dirección del puerto de control: panel, API de minería, control y /metrics; off = ninguno.',
  ],
  'api.legacyPort': ['Puerto de solo lectura', 'Abreviatura de --api-bind 127.0.0.1:PUERTO, siempre de solo lectura.'],
  'api.token': [
    'Token',
    'Token que debe llevar cada petición al puerto de control.',
    'Otros usuarios de este equipo pueden leer una línea de comandos; mejor --api-token-file.',
  ],
  'api.tokenFile': ['Archivo del token', 'Archivo con ese token en su única línea.'],
  'api.allowControl': [
    'Permitir control',
    'Permitir que el puerto de control pause, reanude y reinicie dispositivos.',
    'Sin token, cualquier programa de este equipo puede hacerlo.',
  ],
  'api.hosts': ['Más nombres de host', 'Nombre de host adicional del puerto de control; repetible.'],
  'keystore.folder': ['Carpeta del keystore', 'Carpeta del keystore.'],
  'signer.keystore': ['Carpeta del keystore', 'Carpeta del keystore.'],
  'signer.configDir': [
    'Carpeta del firmador',
    'Carpeta de la semilla maestra, las contraseñas guardadas, las reglas y el socket local.',
  ],
  'signer.signerSecret': [
    'Archivo de la semilla maestra',
    'Archivo cifrado de la semilla maestra; de él dependen las contraseñas guardadas, las reglas y las políticas.',
  ],
  'signer.rules': [
    'Script de reglas',
    'Script de reglas que puede decidir solicitudes; solo se usa después de permitirlo.',
    'Lo que aprueba se firma sin preguntarte.',
  ],
  'signer.chainId': ['ID de cadena', 'ID de cadena para el que se firman las transacciones.'],
  'signer.lightKdf': [
    'Derivación de clave ligera',
    'Usar una derivación más débil y rápida para las claves nuevas.',
    'Un archivo de clave robado se puede atacar unas 64 veces más rápido.',
  ],
  'signer.unconfined': [
    'Contraseñas guardadas sin confinamiento',
    'Usar las contraseñas guardadas aunque el proceso de claves no se pueda confinar.',
    'Un fallo en el proceso de claves podría entonces enviar fuera una clave abierta sin ti.',
  ],
  'signer.http': ['API del firmador por HTTP', 'Ofrecer la API del firmador por HTTP.'],
  'signer.httpAddr': [
    'Dirección de la API del firmador',
    'Dirección en la que escucha la API del firmador.',
    'En una dirección que no es loopback, cualquiera que pueda conectarse puede enviarte solicitudes.',
  ],
  'signer.httpPort': ['Puerto de la API del firmador', 'Puerto de la API del firmador; 0 = cualquiera libre.'],
  'signer.httpVhosts': [
    'Nombres de host del firmador',
    'Nombres de host a los que responde la API del firmador, además de direcciones IP; * = todos.',
    'Con * cualquier página web puede presentarte solicitudes mediante un nombre propio.',
  ],
  'signer.ipcDisable': ['Desactivar el socket local', 'No ofrecer la API del firmador en un socket local.'],
  'signer.ipcPath': [
    'Ruta del socket local',
    'Socket local, o la carpeta de clef.ipc; un nombre sin ruta va en --signer.configdir.',
  ],
  'signer.stdioUi': [
    'Interfaz por E/S estándar',
    'Pedir las aprobaciones por la entrada y salida estándar, un mensaje JSON-RPC por línea.',
    'Ese programa aprueba lo que se firma.',
  ],
  'signer.stdioUiTest': [
    'Probar esa interfaz',
    'Enviar una vez cada tipo de pregunta, para probar el programa del otro lado.',
  ],
  'signer.selectorsCustom': [
    'Archivo de métodos aprendidos',
    'Archivo de firmas de métodos dadas por solicitantes que coincidieron con sus datos; vacío = no guardar.',
  ],
  'signer.selectorsBuiltin': [
    'Métodos incorporados',
    'Firmas de métodos incorporadas; minimal = solo transfer(address,uint256).',
  ],
  'signer.strict': ['Modo estricto', 'Rechazar automáticamente las solicitudes con un hallazgo WARNING o CRITICAL.'],
  'signer.descriptors': [
    'Descripciones de contratos',
    'Carpeta con descripciones ERC-7730, que explican con palabras las llamadas a contratos conocidos.',
  ],
  'signer.usb': ['Monederos físicos', 'Usar cuentas de un Ledger conectado por USB.'],
  'signer.auditLog': [
    'Registro de auditoría',
    'Registro de auditoría: se añade cada solicitud, decisión y resultado; vacío = ninguno.',
  ],
  'signer.approvalTimeoutSeconds': [
    'Tiempo para aprobar',
    'Rechazar las solicitudes sin decidir tras este tiempo; 0 = nunca.',
  ],
})
