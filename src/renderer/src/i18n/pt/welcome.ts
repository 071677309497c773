// The Brazilian Portuguese texts of the first steps.
import type { Catalogue } from '../en/all'

export const welcomeTexts = {
  'ui.welcome.title': 'Configurar mineração',
  'ui.welcome.computer': 'Este computador',
  'ui.welcome.card':
    '{network, select, practice {Você está na rede de prática. Configure a mineração de verdade em poucos passos.} other {Termine a configuração: conta de pagamento, dispositivos, e solo ou pool.}}',
  'ui.welcome.later': 'Agora não',
  'ui.welcome.start': 'Começar a minerar',
  'ui.welcome.leave': 'Ir para a visão geral',
  'ui.welcome.step.network': 'Rede',
  'ui.welcome.step.folder': 'Pasta de dados',
  'ui.welcome.step.account': 'Conta',
  'ui.welcome.step.work': 'Solo ou pool',
  'ui.welcome.step.sharing': 'Acesso',
  'ui.welcome.network.practice':
    'Uma chain privada neste computador com prova de trabalho fácil. Teste tudo em segundos, sem nada em jogo.',
  'ui.welcome.network.main':
    'A chain real. As moedas têm valor, um bloco é encontrado a cada 10 minutos em média, e você precisa de uma GPU com memória suficiente para ganhar algo.',
  'ui.welcome.network.test':
    'Uma chain pública para testes. Funciona como a rede principal, mas as moedas não têm valor.',
  'ui.welcome.folderText': 'O Headframe guarda aqui a chain, os arquivos de chave, os logs e as configurações.',
  'ui.welcome.needed': 'Recomendado',
  'ui.welcome.noRoom': 'Este disco tem pouco espaço. A sincronização para antes de ele encher.',
  'ui.welcome.payHere': 'Usar esta conta',
  'ui.welcome.payTo': 'Endereço de pagamento',
  'ui.welcome.payToHint': 'Deixe vazio para manter o atual. Minerar só precisa do endereço, não da chave.',
  'ui.welcome.devicesText':
    'O Headframe encontrou estes dispositivos. Meça-os no tamanho real da rede principal: nada é minerado, e a mineração pausa enquanto isso.',
  'ui.welcome.measure': 'Medir este computador',
  'ui.welcome.measureStop': 'Parar medição',
  'ui.welcome.measurePreparing':
    'Criando o DAG completo. Uma GPU leva até um minuto; uma CPU, vários. Depois, a medição dura 20 s.',
  'ui.welcome.measureFailed': 'Não medido.',
  'ui.welcome.measureDone': 'Medido no tamanho real: {hashrate}.',
  'ui.welcome.measureLeft': 'Medindo, restam {seconds} s',
  'ui.welcome.soloText': 'Blocos inteiros, raramente. Você fica com toda a recompensa; quanto demora um bloco é sorte.',
  'ui.welcome.poolText': 'Pagamentos pequenos, com frequência. O pool paga por seus shares e fica com uma taxa.',
  'ui.welcome.wait10': '10% de chance de um bloco em',
  'ui.welcome.wait50': '50% de chance em',
  'ui.welcome.wait90': '90% de chance em',
  'ui.welcome.waitUnknown':
    'A visão geral mostra quanto demora um bloco nessa rede quando os cabeçalhos estiverem sincronizados.',
  'ui.welcome.local': 'Só este computador',
  'ui.welcome.localText': 'Outros computadores não podem se conectar.',
  'ui.welcome.home': 'Celulares e computadores da sua rede doméstica',
  'ui.welcome.homeText':
    'Oferece o painel na sua rede doméstica. Quem tiver o token pode vê-lo. O controle fica desligado, e as chaves ficam neste computador.',
  'ui.welcome.tokenText': 'Após reiniciar, leia este código com o celular ou digite este token:',
  'ui.welcome.qr': 'QR code com o endereço do painel e o token',
  'ui.welcome.noAddress': 'Este computador não está conectado a uma rede doméstica.',
  'ui.welcome.needsAccount': 'Você não escolheu uma conta de pagamento. O nó sincroniza, mas nada é minerado.',
  'ui.welcome.commandLine': 'Equivalente na linha de comando',
  'ui.welcome.failed': 'Não é possível salvar --{flag}: {reason}',
  'ui.welcome.done': 'Pronto. O Headframe está rodando com estas configurações.',
  'ui.welcome.live': 'O que o Headframe faz agora',
  'ui.welcome.live.starting': 'Iniciando o minerador',
  'ui.welcome.live.noPool': 'Nenhum pool ainda. Adicione um em Pools.',
  'ui.welcome.live.connecting': 'Conectando a {host}',
  'ui.welcome.live.pool': 'Conectado a {host}',
  'ui.welcome.live.noWork': 'Aguardando seu nó dar trabalho',
  'ui.welcome.live.node': 'Seu nó dá trabalho',
  'ui.welcome.live.failed': '{name} falhou: {reason}',
  'ui.welcome.live.mining':
    '{count, plural, one {# dispositivo minera a {hashrate}} other {# dispositivos mineram a {hashrate}}}',
  'ui.welcome.live.paused': 'Todos os dispositivos estão pausados',
  'ui.welcome.live.noDevice': 'Nenhum dispositivo minera ainda',
  'ui.welcome.live.share': 'Share aceito: a mineração funciona',
  'ui.welcome.live.block': 'Bloco encontrado: a mineração funciona',
  'ui.welcome.live.noProof': 'Nenhum share ainda',
  'ui.welcome.live.shareEvery': 'Aguardando o primeiro share, cerca de {duration} em média',
  'ui.welcome.live.blockEvery': 'Procurando um bloco, cerca de {duration} em média',
  'ui.welcome.practiceStays':
    'Sua conta de prática fica na rede de prática: a senha dela está salva em texto puro. Crie ou importe uma conta, ou digite um endereço.',
  'ui.welcome.practiceOnly':
    'Esta é sua conta de prática. Escolha outro endereço: a senha dela está salva em texto puro.',
  'ui.welcome.willRestart': 'O Headframe reinicia com estas configurações. Esta página reconecta em alguns segundos.',
  'ui.welcome.restarting': 'Reiniciando com suas configurações…',
  'ui.welcome.doneRestart':
    'Salvo, mas o Headframe não consegue se reiniciar: {reason}. Feche-o e inicie de novo para usar estas configurações.',
  'ui.welcome.oldElectron':
    'Este Electron ({version}) não recebe correções de segurança, por isso, depois de reiniciar, o Headframe não abre janela nesta rede. Ele continua funcionando: abra no navegador o link em {file}. Para manter a janela, instale antes um Electron atual.',
  'ui.welcome.networkDrive':
    'Esta pasta está em uma unidade de rede. A chain precisa de um disco local rápido; escolha outra pasta.',
  'ui.welcome.decline': 'Pular a configuração',
} satisfies Catalogue
