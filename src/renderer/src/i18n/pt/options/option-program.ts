// The options of the program, the control port and the signer in Brazilian Portuguese.
import { optionTexts } from '../../option-text'

export const portugueseProgramOptions = optionTexts({
  'app.logLevel': ['Nível de log', 'Nível mínimo do log.'],
  'app.logJson': ['Log em JSON', 'Escrever o log como JSON na saída de erros, um objeto por linha.'],
  'app.logFileSize': ['Tamanho do log', 'Tamanho a partir do qual começa um novo arquivo de log.'],
  'app.logFiles': ['Arquivos de log', 'Arquivos de log mantidos, incluindo o atual.'],
  'update.check': [
    'Procurar atualizações',
    'Quando procurar uma versão nova: manual = quando você pedir, daily = uma vez por dia, never = a rede nunca é consultada.',
  ],
  'update.url': [
    'Endereço de atualizações',
    'Endereço do arquivo assinado update.json de uma versão; os pacotes ficam ao lado.',
  ],
  'app.headless': ['Sem janela', 'Rodar sem janela; abra o painel em um navegador.'],
  'app.welcome': ['Oferecer configuração', 'Oferecer os passos de configuração na janela; desligado quando terminam.'],
  'app.network': ['Rede', 'Rede usada; practice é uma chain privada neste computador, sem nada em jogo.'],
  'app.genesis': [
    'Arquivo genesis',
    'Arquivo genesis (JSON) de uma rede própria; fica na pasta de dados para os próximos inícios.',
  ],
  'app.networkId': ['ID da rede', 'ID de rede de uma rede própria.'],
  'app.xhashMode': [
    'Tamanho da prova de trabalho',
    'Tamanhos da prova de trabalho em uma rede própria; test usa 1.024 e 32.768 bytes em cada época.',
  ],
  'desktop.closeToTray': ['Fechar para a bandeja', 'Continuar na bandeja quando a janela é fechada.'],
  'desktop.autostart': ['Iniciar com o sistema', 'Iniciar ao entrar na sessão, na bandeja.'],
  'desktop.notify': [
    'Notificações',
    'Notificações mostradas: solicitação pendente, GPU pausada por calor, falha de GPU, bloco encontrado (block) ou que não permaneceu na chain (side-block), recompensa madura, pool perdido ou trocado, aviso do pool, rig offline, nó atrasado, disco quase cheio, relatório da manhã.',
  ],
  'desktop.quietHours': [
    'Horas de silêncio',
    'Horas de silêncio, hora local: só solicitações pendentes são mostradas.',
  ],
  'stratum.bind': [
    'Endereço Stratum para seus rigs',
    'Endereço em que seus outros rigs mineram para o seu nó por Stratum; off = nenhum.',
  ],
  'stratum.token': [
    'Senha dos rigs',
    'Senha com que cada rig deve entrar.',
    'Outros usuários deste computador podem ler uma linha de comando; prefira --stratum-token-file.',
  ],
  'stratum.tokenFile': ['Arquivo de senha dos rigs', 'Arquivo com essa senha na única linha.'],
  'stratum.allow': ['Redes permitidas', 'Redes cujos rigs podem se conectar, por exemplo 192.168.1.0/24.'],
  'stratum.certificateFile': ['Certificado TLS', 'Certificado PEM: a porta Stratum passa a falar só TLS.'],
  'stratum.keyFile': ['Chave privada TLS', 'Chave privada PEM desse certificado.'],
  'api.bind': [
    'Endereço do painel',
    'Endereço da porta de controle: painel, API de mineração, controle e /metrics; off = nenhum.',
  ],
  'api.legacyPort': ['Porta somente leitura', 'Atalho para --api-bind 127.0.0.1:PORTA, sempre somente leitura.'],
  'api.token': [
    'Token',
    'Token que cada pedido à porta de controle deve trazer.',
    'Outros usuários deste computador podem ler uma linha de comando; prefira --api-token-file.',
  ],
  'api.tokenFile': ['Arquivo do token', 'Arquivo com esse token na única linha.'],
  'api.allowControl': [
    'Permitir controle',
    'Permitir que a porta de controle pause, retome e reinicie dispositivos.',
    'Sem token, qualquer programa deste computador pode fazer isso.',
  ],
  'api.hosts': ['Mais nomes de host', 'Nome de host adicional da porta de controle; repetível.'],
  'keystore.folder': ['Pasta do keystore', 'Pasta do keystore.'],
  'signer.keystore': ['Pasta do keystore', 'Pasta do keystore.'],
  'signer.configDir': [
    'Pasta do assinador',
    'Pasta da semente mestra, das senhas guardadas, das regras e do socket local.',
  ],
  'signer.signerSecret': [
    'Arquivo da semente mestra',
    'Arquivo criptografado da semente mestra; senhas guardadas, regras e políticas dependem dele.',
  ],
  'signer.rules': [
    'Script de regras',
    'Script de regras que pode decidir solicitações; usado só depois de permitido.',
    'O que ele aprova é assinado sem perguntar.',
  ],
  'signer.chainId': ['ID da chain', 'ID da chain para o qual as transações são assinadas.'],
  'signer.lightKdf': [
    'Derivação de chave leve',
    'Usar uma derivação mais fraca e rápida para novas chaves.',
    'Um arquivo de chave roubado pode ser atacado cerca de 64 vezes mais rápido.',
  ],
  'signer.unconfined': [
    'Senhas salvas sem confinamento',
    'Usar senhas salvas mesmo onde o processo de chaves não pode ser confinado.',
    'Uma falha no processo de chaves poderia então enviar para fora uma chave aberta sem você.',
  ],
  'signer.http': ['API do assinador por HTTP', 'Oferecer a API do assinador por HTTP.'],
  'signer.httpAddr': [
    'Endereço da API do assinador',
    'Endereço em que a API do assinador escuta.',
    'Em um endereço que não é loopback, quem puder se conectar pode enviar solicitações a você.',
  ],
  'signer.httpPort': ['Porta da API do assinador', 'Porta da API do assinador; 0 = qualquer porta livre.'],
  'signer.httpVhosts': [
    'Nomes de host do assinador',
    'Nomes de host aos quais a API do assinador responde, além de endereços IP; * = todos.',
    'Com * qualquer página web pode enviar solicitações por um nome próprio.',
  ],
  'signer.ipcDisable': ['Desligar o socket local', 'Não oferecer a API do assinador em um socket local.'],
  'signer.ipcPath': [
    'Caminho do socket local',
    'Socket local, ou a pasta de clef.ipc; um nome simples fica em --signer.configdir.',
  ],
  'signer.stdioUi': [
    'Interface por E/S padrão',
    'Pedir aprovações pela entrada e saída padrão, uma mensagem JSON-RPC por linha.',
    'Esse programa aprova o que é assinado.',
  ],
  'signer.stdioUiTest': [
    'Testar essa interface',
    'Enviar cada tipo de pergunta uma vez, para testar o programa do outro lado.',
  ],
  'signer.selectorsCustom': [
    'Arquivo de métodos aprendidos',
    'Arquivo de assinaturas de métodos dadas por solicitantes que corresponderam aos dados; vazio = não guardar.',
  ],
  'signer.selectorsBuiltin': [
    'Métodos embutidos',
    'Assinaturas de métodos embutidas; minimal = só transfer(address,uint256).',
  ],
  'signer.strict': ['Modo estrito', 'Rejeitar automaticamente solicitações com constatação WARNING ou CRITICAL.'],
  'signer.auditLog': [
    'Log de auditoria',
    'Log de auditoria: cada solicitação, decisão e resultado é acrescentado; vazio = nenhum.',
  ],
  'signer.approvalTimeoutSeconds': [
    'Tempo para aprovar',
    'Rejeitar solicitações não decididas após esse tempo; 0 = nunca.',
  ],
  'signer.descriptors': [
    'Descrições de contratos',
    'Pasta com descrições ERC-7730, que explicam em palavras as chamadas a contratos conhecidos.',
  ],
  'signer.usb': ['Carteiras de hardware', 'Usar contas de um Ledger conectado por USB.'],
})
