// The options of the node and JSON-RPC in Spanish.
import { optionTexts } from '../../option-text'

export const spanishNodeOptions = optionTexts({
  'chain.history': [
    'Historial de estados',
    'Bloques recientes cuyas cuentas y posiciones puede consultar un nodo full, al menos 8192. 0 = todos.',
  ],
  'chain.gcMode': [
    'Estados antiguos',
    'Cuántos estados antiguos se conservan: full = bloques recientes, archive = todos.',
  ],
  'node.http': ['JSON-RPC por HTTP', 'Ofrecer JSON-RPC por HTTP.'],
  'node.httpAddr': [
    'Dirección de JSON-RPC',
    'Dirección en la que escucha JSON-RPC.',
    'En una dirección que no es loopback, cualquiera que pueda conectarse puede leer la cadena, enviar transacciones y tomar trabajo.',
  ],
  'node.httpPort': ['Puerto de JSON-RPC', 'Puerto de JSON-RPC; 0 = cualquiera libre.'],
  'node.httpVhosts': [
    'Nombres de host de JSON-RPC',
    'Nombres de host a los que responde JSON-RPC, además de direcciones IP; * = todos.',
    'Con * cualquier página web puede alcanzar JSON-RPC mediante un nombre propio.',
  ],
  'node.graphql': [
    'GraphQL por HTTP',
    'Responder GraphQL en /graphql, en el puerto de JSON-RPC, para los mismos nombres de host y orígenes.',
  ],
  'node.getworkHeight': [
    'Número de bloque en eth_getWork',
    'Añadir el número de bloque a los resultados de eth_getWork, para software de pools que lo necesita.',
  ],
  'node.mine': ['Preparar trabajo para mineros', 'Crear plantillas de bloque para el minero y eth_getWork.'],
  'node.coinbase': ['Cuenta de recompensas', 'Cuenta para las recompensas de bloque.'],
  'node.extraData': [
    'Datos extra en bloques minados',
    'Datos extra en la cabecera de los bloques minados, hasta 32 bytes.',
  ],
  'node.gasLimit': ['Límite de gas de bloques minados', 'Límite de gas objetivo de los bloques minados.'],
  'node.beside': [
    'Comparar con otro nodo',
    'JSON-RPC de otro nodo (dirección http o socket local) que se compara con este bloque a bloque: cabeceras, recibos, logs, saldos.',
  ],
  'node.gasPrice': [
    'Precio mín. del gas en bloques minados',
    'Precio mínimo del gas para transacciones ajenas en bloques minados.',
  ],
  'node.recommitMs': ['Renovar trabajo cada', 'Cada cuánto se rehace la plantilla de bloque.'],
  'p2p.port': ['Puerto de peers', 'Puerto P2P, TCP y UDP; 0 = cualquiera libre.'],
  'p2p.addr': ['Dirección de peers', 'Dirección P2P en la que se escucha.'],
  'p2p.maxPeers': ['Máx. de peers', 'Número máximo de peers, un tercio de ellos llamados desde aquí; 0 = sin red.'],
  'p2p.nodeKeyFile': [
    'Archivo de clave del nodo',
    'Archivo con la clave P2P de este nodo, 64 dígitos hexadecimales; se crea si falta.',
  ],
  'p2p.nodeKeyHex': [
    'Clave del nodo',
    'Clave P2P, 64 dígitos hexadecimales.',
    'Otros usuarios de este equipo pueden leer una línea de comandos; mejor --nodekey.',
  ],
  'p2p.bootnodes': ['Nodos de arranque', 'Nodos de arranque; una lista vacía = ninguno.'],
  'p2p.noDiscover': ['Desactivar búsqueda de peers', 'Desactivar la búsqueda de nodos por UDP.'],
  'p2p.dnsTrees': ['Listas de nodos por DNS', 'Listas de nodos firmadas en DNS donde encontrar nodos.'],
  'p2p.minesBehind': [
    'Minar aunque un peer vaya por delante',
    'Dar trabajo aunque un peer tenga desde hace 30 s una cadena más pesada, comprobada por su prueba de trabajo.',
  ],
  'p2p.requiredBlocks': [
    'Bloques exigidos',
    'Bloques que los peers deben tener: se corta con quien tenga otro a esa altura.',
  ],
  'p2p.checkpoint': ['Archivo de control', 'Lista firmada de tales bloques; necesita --checkpoint.signer.'],
  'p2p.checkpointSigner': ['Cuenta que firma la lista', 'Cuenta cuya firma de la lista se acepta.'],
  'p2p.nat': [
    'Redirección de puertos (NAT)',
    'Redirección de puertos: upnp, pmp, any, none, o extip:IP si el puerto ya está redirigido.',
  ],
  'p2p.netRestrict': ['Limitar a redes', 'Conectarse solo a nodos de estas redes.'],
  'rpc.httpApi': [
    'Módulos HTTP',
    'Espacios de nombres ofrecidos por HTTP.',
    'admin y miner cambian lo que hace este nodo, debug y trace cuestan mucho tiempo: solo para solicitantes de confianza.',
  ],
  'rpc.httpCors': [
    'Orígenes HTTP permitidos',
    'Orígenes de páginas web que pueden leer respuestas HTTP; * = todos.',
    'Una página de ese origen puede hacer todo lo que ofrece JSON-RPC.',
  ],
  'rpc.ws': ['JSON-RPC por WebSocket', 'Ofrecer JSON-RPC por WebSocket.'],
  'rpc.wsAddr': [
    'Dirección WebSocket',
    'Dirección en la que escucha WebSocket.',
    'En una dirección que no es loopback, cualquiera que pueda conectarse puede leer la cadena, enviar transacciones y tomar trabajo.',
  ],
  'rpc.wsPort': [
    'Puerto WebSocket',
    'Puerto WebSocket; 0 = cualquiera libre. Con la dirección y el puerto de HTTP, uno sirve para ambos.',
  ],
  'rpc.wsApi': [
    'Módulos WebSocket',
    'Espacios de nombres ofrecidos por WebSocket.',
    'admin y miner cambian lo que hace este nodo, debug y trace cuestan mucho tiempo: solo para solicitantes de confianza.',
  ],
  'rpc.wsOrigins': [
    'Orígenes WebSocket permitidos',
    'Orígenes de páginas web que pueden abrir un WebSocket; * = todos.',
    'Una página de ese origen puede hacer todo lo que ofrece JSON-RPC.',
  ],
  'rpc.ipcPath': [
    'Ruta del socket local',
    'Socket local (named pipe en Windows) que ofrece todos los espacios de nombres a los programas de este usuario; un nombre sin ruta queda en el directorio de datos.',
  ],
  'rpc.ipcDisable': ['Desactivar el socket local', 'No ofrecer JSON-RPC en un socket local.'],
  'rpc.gasCap': ['Gas máx. por llamada', 'Gas máximo de una llamada JSON-RPC; 0 = sin límite.'],
  'rpc.callTimeoutMs': ['Tiempo máx. por llamada', 'Tiempo máximo de una llamada JSON-RPC; 0 = sin límite.'],
  'rpc.bodyLimitBytes': ['Tamaño máx. de petición', 'Tamaño máximo de una petición JSON-RPC.'],
  'rpc.batchLimit': ['Llamadas máx. por lote', 'Llamadas máximas en un lote JSON-RPC.'],
  'accounts.signer': [
    'Firmador externo',
    'Usar el firmador de otro proceso: su dirección HTTP o la ruta de su socket.',
  ],
  'accounts.passwordFile': [
    'Archivo de contraseñas',
    'Archivo con las contraseñas de --unlock, una por línea en el mismo orden; la última vale para las cuentas restantes.',
  ],
  'accounts.feeCap': [
    'Comisión máx. por JSON-RPC',
    'Coste máximo de gas de una transacción enviada por JSON-RPC, en LAX; 0 = sin límite.',
  ],
  'accounts.allowUnprotected': [
    'Permitir transacciones sin ID de cadena',
    'Aceptar transacciones sin ID de cadena, que valen en todas las cadenas.',
  ],
  'txpool.locals': [
    'Cuentas locales',
    'Cuentas tratadas como locales: sus transacciones sobreviven a los reinicios y no siguen las reglas de precio.',
  ],
  'txpool.noLocals': [
    'Sin cuentas locales',
    'Tratar las transacciones enviadas aquí como las demás: siguen las reglas de precio y no sobreviven a los reinicios.',
  ],
  'txpool.journal': [
    'Diario de transacciones locales',
    'Archivo que conserva las transacciones locales entre reinicios.',
  ],
  'txpool.rejournalMs': ['Reescribir el diario cada', 'Cada cuánto se reescribe ese archivo.'],
  'txpool.priceLimit': [
    'Precio mín. del gas',
    'Precio mínimo del gas para transacciones remotas; al minar, --miner.gasprice si es mayor.',
  ],
  'txpool.priceTarget': [
    'Precio sugerido del gas: confirma en, bloques',
    'Sugiere el precio del gas que confirma el 85 % de las transacciones en ese número de bloques; recent = el precio habitual de los últimos 20 bloques, que también se usa mientras se hayan visto pocas transacciones.',
  ],
  'txpool.priceBump': [
    'Aumento mín. para sustituir',
    'Aumento de precio necesario para sustituir una transacción con el mismo nonce, en porcentaje.',
  ],
  'txpool.accountSlots': ['Plazas garantizadas por cuenta', 'Transacciones ejecutables garantizadas por cuenta.'],
  'txpool.globalSlots': ['Plazas en total', 'Máximo de transacciones ejecutables de todas las cuentas.'],
  'txpool.accountQueue': ['Plazas en cola por cuenta', 'Máximo de transacciones en cola por cuenta.'],
  'txpool.globalQueue': ['Plazas en cola en total', 'Máximo de transacciones en cola de todas las cuentas.'],
  'txpool.lifetimeMs': ['Tiempo máx. en cola', 'Cuánto pueden quedar en cola las transacciones remotas.'],
})
