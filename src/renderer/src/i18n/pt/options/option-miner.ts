// The options of the miner, GPUs, pools and rigs in Brazilian Portuguese.
import { optionTexts } from '../../option-text'

export const portugueseMinerOptions = optionTexts({
  'miner.cpu': ['Mineração por CPU', 'Minerar na CPU, além das GPUs.'],
  'miner.cpuThreads': ['Threads da CPU', 'Threads para minerar com a CPU.'],
  'miner.devices': [
    'Dispositivos',
    'Dispositivos para minerar: índices de headframe devices, endereços PCI, gpu, cpu ou all; um menos exclui um (--devices=all,-1).',
  ],
  'miner.simulatedGpus': [
    'GPUs simuladas',
    'Número de GPUs simuladas, com sensores modelados; só em redes de prática e próprias.',
  ],
  'miner.tstop': [
    'Pausar na temperatura',
    'Pausar um dispositivo nesta temperatura (hotspot +15 °C, memória +20 °C). 0 = o limite próprio do dispositivo, se houver.',
  ],
  'miner.tstart': ['Retomar abaixo de', 'Retomar abaixo desta temperatura.'],
  'miner.hwmon': [
    'Sensores',
    'Sensores lidos: 0 = nenhum, 1 = temperaturas e ventoinha, 2 = também consumo e clocks.',
    'Com 0, um dispositivo quente demais não é pausado.',
  ],
  'miner.dagLoadMode': [
    'Ordem de criação do DAG',
    'Criar DAGs em todos os dispositivos de uma vez (0) ou um por vez (1).',
  ],
  'miner.dagDouble': [
    'Preparar o próximo DAG',
    'Criar antes o DAG da próxima época onde a memória permite, para os dispositivos trocarem na hora.',
  ],
  'miner.schedule': [
    'Horário',
    'Horas de mineração, hora local, com os dias em que começam (mon-fri@22:00-06:00,sat-sun@00:00-24:00).',
  ],
  'miner.simulation': [
    'Benchmark',
    'Benchmark: calcular com o DAG desta altura de bloco contra um alvo inalcançável; nada é enviado.',
  ],
  'miner.exitOnFailure': [
    'Sair se um dispositivo falhar',
    'Encerrar o programa com código 1 quando um dispositivo falha de novo após três reinícios em uma hora.',
  ],
  'miner.noEval': [
    'Pular verificação na CPU',
    'Pular a verificação na CPU para dispositivos com cem soluções corretas seguidas.',
    'Se um dispositivo começar a calcular errado, quem descobre é o pool, não o Headframe.',
  ],
  'tuning.goal': [
    'Buscar o melhor ajuste',
    'Buscar o limite de potência e as frequências enquanto minera: efficiency = mais hashes por joule, margin = mais receita menos energia (com preço e receita).',
    'Muda como a GPU funciona. Os valores dela voltam quando o programa termina ou no próximo início.',
  ],
  'tuning.profile': [
    'Perfil de ajuste',
    'Ajustar cada GPU como este perfil diz para o modelo dela enquanto o minerador roda.',
    'Muda como a GPU funciona. Os valores dela voltam quando o programa termina ou no próximo início.',
  ],
  'tuning.price': ['Preço do kWh', 'Preço de um kWh, para buscar a maior margem.'],
  'tuning.income': [
    'Receita por MH/s e dia',
    'O que um MH/s rende por dia na mesma moeda, para buscar a maior margem.',
  ],
  'tuning.temperature': [
    'Resfriar a partir de',
    'Manter os dispositivos abaixo desta temperatura, primeiro pela ventoinha e depois pela frequência, antes de pausá-los.',
    'Fixa a ventoinha à mão. A GPU a retoma quando o programa termina ou no próximo início.',
  ],
  'money.laxPrice': ['Preço de um LAX', 'Preço de um LAX na sua moeda, para a margem.'],
  'money.powerPrice': ['Preço da energia', 'Preço de um kWh na sua moeda, para o custo da mineração.'],
  'money.currency': ['Moeda', 'Código ou símbolo da moeda de todos os preços, como EUR.'],
  'alerts.to': [
    'Destino dos alertas',
    'Onde os incidentes são comunicados: https:// (webhook), ntfy://, telegram://, smtps:// ou command:/ARQUIVO; pode ser repetido.',
    'Outros usuários deste computador podem ler a linha de comando; guarde tokens e senhas no arquivo de configuração.',
  ],
  'alerts.quietHours': [
    'Horas de silêncio dos alertas',
    'Horas de silêncio dos alertas, hora local: só os problemas são enviados.',
  ],
  'alerts.repeatMinutes': [
    'Repetir o alerta após',
    'Enviar um incidente de novo após este tempo enquanto ninguém o confirmar; 0 = nunca.',
  ],
  'alerts.escalateMinutes': [
    'Escalar o alerta após',
    'Enviar um problema a todos os endereços, também aos que têm #escalation, se ninguém o confirmar neste tempo; 0 = nunca.',
  ],
  'gpu.opencl': ['Usar OpenCL', 'Usar só GPUs OpenCL. Acrescente -U para usar também CUDA.'],
  'gpu.cuda': ['Usar CUDA', 'Usar só GPUs CUDA. Acrescente -G para usar também OpenCL.'],
  'gpu.clDevices': [
    'Dispositivos OpenCL',
    'Dispositivos OpenCL usados, pelo índice OpenCL; CPUs só quando citadas aqui.',
  ],
  'gpu.clCpu': ['OpenCL em CPUs', 'Usar também CPUs por OpenCL. Mais lento que --cpu; para testar OpenCL.'],
  'gpu.clLocalWork': ['Tamanho do grupo OpenCL', 'Tamanho local de trabalho do OpenCL.'],
  'gpu.clGlobalWork': ['Grupos OpenCL por lançamento', 'Grupos de trabalho OpenCL por lançamento.'],
  'gpu.cuDevices': ['Dispositivos CUDA', 'Dispositivos CUDA usados, pelo índice CUDA.'],
  'gpu.cuBlockSize': ['Tamanho do bloco CUDA', 'Threads CUDA por bloco.'],
  'gpu.cuGridSize': ['Blocos CUDA por lançamento', 'Blocos CUDA por lançamento.'],
  'gpu.cuSchedule': [
    'Modo de espera CUDA',
    'Como as threads CUDA esperam a GPU: sync dorme; spin e yield usam um núcleo de CPU cada.',
  ],
  'pool.urls': [
    'Pools',
    'Pool ou nó getwork onde minerar; repetível, em ordem de failover. exit como último encerra ali o programa.',
  ],
  'pool.user': [
    'Usuário do pool',
    'Usuário para os pools, à parte do endereço e literal; um endereço pode ter o seu próprio.',
  ],
  'pool.worker': ['Nome do worker', 'Nome deste rig para os pools, à parte do endereço e literal.'],
  'pool.password': ['Senha do pool', 'Senha para os pools, à parte do endereço e literal.'],
  'pool.proxy': ['Proxy dos pools', 'Proxy SOCKS5 para os pools; ele resolve os nomes, inclusive os da Tor.'],
  'pool.reportHashrate': ['Informar hashrate', 'Informar o hashrate ao pool uma vez por minuto.'],
  'pool.workTimeoutMs': ['Tempo máx. sem job', 'Deixar um pool após esse tempo sem job novo.'],
  'pool.responseTimeoutMs': ['Tempo máx. de resposta', 'Deixar um pool após esse tempo sem resposta.'],
  'pool.retryDelayMs': ['Espera da primeira tentativa', 'Espera antes da primeira reconexão; dobra até um minuto.'],
  'pool.retryMax': [
    'Tentativas antes do failover',
    'Tentativas de conexão antes de tentar o próximo pool; 0 = sem limite.',
  ],
  'pool.failoverMinutes': [
    'Voltar ao primeiro pool após',
    'Voltar ao primeiro pool depois que ele funcionar por esse tempo; 0 = nunca.',
  ],
  'pool.recheckMs': ['Buscar trabalho a cada', 'Com que frequência se busca trabalho em um nó getwork.'],
  'pool.ergodicity': [
    'Nonce inicial',
    'Quando sortear um novo nonce inicial: 0 = ao iniciar, 1 = em cada conexão, 2 = em cada job.',
  ],
  'pool.certificateFile': [
    'Certificados de pools',
    'Certificados de CA (PEM) para pools em vez dos do sistema; também SSL_CERT_FILE.',
  ],
  'pool.noVerify': [
    'Pular verificação de certificados',
    'Não verificar certificados de pools; também SSL_NOVERIFY. Para um só pool, acrescente ?verify=0.',
    'Qualquer pessoa no caminho da rede pode ficar com os shares.',
  ],
  'rigs.list': [
    'Rigs',
    'Rig monitorado pela porta de controle, com o token após # e rótulos depois (group=cellar); repetível.',
    'Outros usuários deste computador podem ler uma linha de comando; para tokens, prefira --rig-file.',
  ],
  'rigs.file': [
    'Arquivo de rigs',
    'Arquivo com um rig por linha, como em --rig; linhas que começam com # são comentários.',
  ],
  'rigs.intervalSeconds': ['Atualizar rigs a cada', 'Com que frequência cada rig é consultado.'],
  'rigs.monitor': ['Só monitorar', 'Só monitorar outros rigs: sem minerar.'],
})
