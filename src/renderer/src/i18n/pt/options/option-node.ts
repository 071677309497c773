// The options of the node and JSON-RPC in Brazilian Portuguese.
import { optionTexts } from '../../option-text'

export const portugueseNodeOptions = optionTexts({
  'chain.history': [
    'Histórico de estados',
    'Blocos recentes cujas contas e posições um nó full pode consultar, no mínimo 8192. 0 = todos.',
  ],
  'chain.gcMode': ['Estados antigos', 'Quantos estados antigos manter: full = blocos recentes, archive = todos.'],
  'node.http': ['JSON-RPC por HTTP', 'Oferecer JSON-RPC por HTTP.'],
  'node.httpAddr': [
    'Endereço do JSON-RPC',
    'Endereço em que o JSON-RPC escuta.',
    'Em um endereço que não é loopback, quem puder se conectar pode ler a chain, enviar transações e pegar trabalho.',
  ],
  'node.httpPort': ['Porta do JSON-RPC', 'Porta do JSON-RPC; 0 = qualquer porta livre.'],
  'node.httpVhosts': [
    'Nomes de host do JSON-RPC',
    'Nomes de host aos quais o JSON-RPC responde, além de endereços IP; * = todos.',
    'Com * qualquer página web pode alcançar o JSON-RPC por um nome próprio.',
  ],
  'node.graphql': [
    'GraphQL por HTTP',
    'Responder GraphQL em /graphql, na porta do JSON-RPC, para os mesmos nomes de host e origens.',
  ],
  'node.getworkHeight': [
    'Número do bloco em eth_getWork',
    'Acrescentar o número do bloco aos resultados de eth_getWork, para software de pool que precisa dele.',
  ],
  'node.mine': ['Preparar trabalho para mineradores', 'Criar modelos de bloco para o minerador e eth_getWork.'],
  'node.coinbase': ['Conta de recompensas', 'Conta das recompensas de bloco.'],
  'node.extraData': [
    'Dados extras em blocos minerados',
    'Dados extras no cabeçalho de blocos minerados, até 32 bytes.',
  ],
  'node.gasLimit': ['Limite de gas de blocos minerados', 'Limite de gas alvo dos blocos minerados.'],
  'node.beside': [
    'Comparar com outro nó',
    'JSON-RPC de outro nó (endereço http ou socket local), comparado com este bloco a bloco: cabeçalhos, recibos, logs, saldos.',
  ],
  'node.gasPrice': [
    'Preço mín. do gas em blocos minerados',
    'Preço mínimo do gas para transações alheias em blocos minerados.',
  ],
  'node.recommitMs': ['Renovar trabalho a cada', 'Com que frequência o modelo de bloco é refeito.'],
  'p2p.port': ['Porta de peers', 'Porta P2P, TCP e UDP; 0 = qualquer porta livre.'],
  'p2p.addr': ['Endereço de peers', 'Endereço P2P em que se escuta.'],
  'p2p.maxPeers': ['Máx. de peers', 'Número máximo de peers, um terço deles chamados daqui; 0 = sem rede.'],
  'p2p.nodeKeyFile': [
    'Arquivo da chave do nó',
    'Arquivo com a chave P2P deste nó, 64 dígitos hexadecimais; criado se faltar.',
  ],
  'p2p.nodeKeyHex': [
    'Chave do nó',
    'Chave P2P, 64 dígitos hexadecimais.',
    'Outros usuários deste computador podem ler uma linha de comando; prefira --nodekey.',
  ],
  'p2p.bootnodes': ['Nós de inicialização', 'Nós de inicialização; uma lista vazia = nenhum.'],
  'p2p.noDiscover': ['Desligar busca de peers', 'Desligar a busca de nós por UDP.'],
  'p2p.dnsTrees': ['Listas de nós por DNS', 'Listas de nós assinadas em DNS onde procurar nós.'],
  'p2p.minesBehind': [
    'Minerar com um peer à frente',
    'Dar trabalho mesmo que um peer tenha há 30 s uma chain mais pesada, conferida pela prova de trabalho.',
  ],
  'p2p.requiredBlocks': ['Blocos exigidos', 'Blocos que os peers devem ter: quem tem outro nessa altura é desligado.'],
  'p2p.checkpoint': ['Arquivo de controle', 'Lista assinada desses blocos; precisa de --checkpoint.signer.'],
  'p2p.checkpointSigner': ['Conta que assina a lista', 'Conta cuja assinatura da lista é aceita.'],
  'p2p.nat': [
    'Redirecionamento de portas (NAT)',
    'Redirecionamento de portas: upnp, pmp, any, none, ou extip:IP se a porta já está redirecionada.',
  ],
  'p2p.netRestrict': ['Restringir a redes', 'Conectar só a nós destas redes.'],
  'rpc.httpApi': [
    'Módulos HTTP',
    'Namespaces oferecidos por HTTP.',
    'admin e miner mudam o que este nó faz, debug e trace custam muito tempo: só para solicitantes confiáveis.',
  ],
  'rpc.httpCors': [
    'Origens HTTP permitidas',
    'Origens de páginas web que podem ler respostas HTTP; * = todas.',
    'Uma página dessa origem pode fazer tudo o que o JSON-RPC oferece.',
  ],
  'rpc.ws': ['JSON-RPC por WebSocket', 'Oferecer JSON-RPC por WebSocket.'],
  'rpc.wsAddr': [
    'Endereço WebSocket',
    'Endereço em que o WebSocket escuta.',
    'Em um endereço que não é loopback, quem puder se conectar pode ler a chain, enviar transações e pegar trabalho.',
  ],
  'rpc.wsPort': [
    'Porta WebSocket',
    'Porta WebSocket; 0 = qualquer porta livre. Com o endereço e a porta do HTTP, uma serve para ambos.',
  ],
  'rpc.wsApi': [
    'Módulos WebSocket',
    'Namespaces oferecidos por WebSocket.',
    'admin e miner mudam o que este nó faz, debug e trace custam muito tempo: só para solicitantes confiáveis.',
  ],
  'rpc.wsOrigins': [
    'Origens WebSocket permitidas',
    'Origens de páginas web que podem abrir um WebSocket; * = todas.',
    'Uma página dessa origem pode fazer tudo o que o JSON-RPC oferece.',
  ],
  'rpc.ipcPath': [
    'Caminho do socket local',
    'Socket local (named pipe no Windows) que oferece todos os namespaces aos programas deste usuário; um nome sem caminho fica no diretório de dados.',
  ],
  'rpc.ipcDisable': ['Desligar o socket local', 'Não oferecer JSON-RPC em um socket local.'],
  'rpc.gasCap': ['Gas máx. por chamada', 'Gas máximo de uma chamada JSON-RPC; 0 = sem limite.'],
  'rpc.callTimeoutMs': ['Tempo máx. por chamada', 'Tempo máximo de uma chamada JSON-RPC; 0 = sem limite.'],
  'rpc.bodyLimitBytes': ['Tamanho máx. do pedido', 'Tamanho máximo de um pedido JSON-RPC.'],
  'rpc.batchLimit': ['Chamadas máx. por lote', 'Máximo de chamadas em um lote JSON-RPC.'],
  'accounts.signer': [
    'Assinador externo',
    'Usar o assinador de outro processo: o endereço HTTP ou o caminho do socket dele.',
  ],
  'accounts.passwordFile': [
    'Arquivo de senhas',
    'Arquivo com as senhas de --unlock, uma por linha na mesma ordem; a última vale para as contas restantes.',
  ],
  'accounts.feeCap': [
    'Taxa máx. por JSON-RPC',
    'Custo máximo de gas de uma transação enviada por JSON-RPC, em LAX; 0 = sem limite.',
  ],
  'accounts.allowUnprotected': [
    'Permitir transações sem ID da chain',
    'Aceitar transações sem ID da chain, que valem em todas as chains.',
  ],
  'txpool.locals': [
    'Contas locais',
    'Contas tratadas como locais: suas transações sobrevivem a reinícios e não seguem as regras de preço.',
  ],
  'txpool.noLocals': [
    'Sem contas locais',
    'Tratar transações enviadas aqui como as outras: seguem as regras de preço e não sobrevivem a reinícios.',
  ],
  'txpool.journal': ['Diário de transações locais', 'Arquivo que mantém as transações locais entre reinícios.'],
  'txpool.rejournalMs': ['Regravar o diário a cada', 'Com que frequência esse arquivo é regravado.'],
  'txpool.priceLimit': [
    'Preço mín. do gas',
    'Preço mínimo do gas para transações remotas; ao minerar, --miner.gasprice se for maior.',
  ],
  'txpool.priceTarget': [
    'Preço sugerido do gas: confirma em, blocos',
    'Sugere o preço do gas que confirma 85% das transações nesse número de blocos; recent = o preço usual dos últimos 20 blocos, usado também enquanto poucas transações foram vistas.',
  ],
  'txpool.priceBump': [
    'Aumento mín. para substituir',
    'Aumento de preço exigido para substituir uma transação com o mesmo nonce, em porcentagem.',
  ],
  'txpool.accountSlots': ['Vagas garantidas por conta', 'Transações executáveis garantidas por conta.'],
  'txpool.globalSlots': ['Vagas no total', 'Máximo de transações executáveis de todas as contas.'],
  'txpool.accountQueue': ['Vagas na fila por conta', 'Máximo de transações na fila por conta.'],
  'txpool.globalQueue': ['Vagas na fila no total', 'Máximo de transações na fila de todas as contas.'],
  'txpool.lifetimeMs': ['Tempo máx. na fila', 'Quanto tempo transações remotas podem ficar na fila.'],
})
