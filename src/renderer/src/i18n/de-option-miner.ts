// Die Optionen von Miner, GPUs, Pools und Rigs auf Deutsch.
import { optionTexts } from './option-text'

export const germanMinerOptions = optionTexts({
  'miner.cpu': ['Mit der CPU schürfen', 'Mit der CPU schürfen.'],
  'miner.cpuThreads': ['CPU-Threads', 'Threads, mit denen die CPU schürft.'],
  'miner.devices': [
    'Geräte',
    'Geräte, die schürfen: Plätze, wie headframe devices sie zeigt, PCI-Adressen, gpu, cpu oder all; ein Minus lässt eines aus (--devices=all,-1).',
  ],
  'miner.simulatedGpus': [
    'Simulierte GPUs',
    'Geräte, die es nur als Software gibt, mit nachgebildeten Sensoren, zum Ausprobieren; nur im Übungs- und in eigenen Netzen.',
  ],
  'miner.tstop': [
    'Anhalten bei',
    'Ein so heißes Gerät wird angehalten (sein Hotspot darf 15 Grad heißer sein, sein Speicher 20).',
  ],
  'miner.tstart': ['Fortsetzen bei', 'Ein zu heißes Gerät macht weiter, wenn es so weit abgekühlt ist.'],
  'miner.hwmon': [
    'Sensoren',
    'Sensoren, die gelesen werden: 0 keine, 1 Temperaturen und Lüfter, 2 auch Leistung und Takt.',
    'Mit 0 wird ein zu heißes Gerät nicht angehalten.',
  ],
  'miner.dagLoadMode': [
    'Datensätze erzeugen',
    'Datensätze werden mit 0 auf allen Geräten zugleich erzeugt, mit 1 nacheinander.',
  ],
  'miner.dagDouble': [
    'Nächsten Datensatz im Voraus',
    'Wo der Speicher reicht, entsteht der Datensatz der nächsten Epoche neben dem benutzten, sodass Geräte sofort wechseln.',
  ],
  'miner.schedule': [
    'Zeitplan',
    'Wann Geräte schürfen, nach der Uhr dieses Computers: Stunden, davor die Tage, an denen sie beginnen (mon-fri@22:00-06:00,sat-sun@00:00-24:00).',
  ],
  'miner.simulation': [
    'Nur messen',
    'Für niemanden schürfen, mit dem Datensatz dieser Blockhöhe und einem Ziel, das nichts erreicht: zeigt, was Geräte können.',
  ],
  'miner.noEval': [
    'CPU-Prüfung auslassen',
    'Lösungen eines Geräts, das hundertmal hintereinander richtig rechnete, werden ohne Prüfung auf der CPU gesendet.',
    'Ein Gerät, das falsch zu rechnen beginnt, fällt dem Pool auf, nicht hier.',
  ],
  'gpu.opencl': [
    'OpenCL benutzen',
    'Die GPUs benutzen, die OpenCL ansteuert, und die anderer Treiber nur, wo sie auch verlangt werden (-U).',
  ],
  'gpu.cuda': [
    'CUDA benutzen',
    'Die GPUs benutzen, die CUDA ansteuert, und die anderer Treiber nur, wo sie auch verlangt werden (-G).',
  ],
  'gpu.clDevices': [
    'OpenCL-Geräte',
    'Benutzte Geräte von OpenCL nach den Nummern seiner Treiber; Prozessoren nur, wenn sie hier genannt sind.',
  ],
  'gpu.clCpu': [
    'Prozessoren über OpenCL',
    'Auch Prozessoren benutzen, die OpenCL ansteuert. Langsamer als --cpu; zum Ausprobieren von OpenCL.',
  ],
  'gpu.clLocalWork': ['Gruppengröße in OpenCL', 'Arbeitseinheiten einer Gruppe in OpenCL.'],
  'gpu.clGlobalWork': ['Gruppen eines OpenCL-Starts', 'Gruppen eines Starts in OpenCL.'],
  'gpu.cuDevices': ['CUDA-Geräte', 'Benutzte Geräte von CUDA nach den Nummern seines Treibers.'],
  'gpu.cuBlockSize': ['Blockgröße in CUDA', 'Threads eines Blocks in CUDA.'],
  'gpu.cuGridSize': ['Blöcke eines CUDA-Starts', 'Blöcke eines Starts in CUDA.'],
  'gpu.cuSchedule': [
    'Warten auf die GPU in CUDA',
    'Wie ein Thread in CUDA auf seine GPU wartet: sync schläft, spin und yield kosten je einen Prozessor.',
  ],
  'pool.urls': [
    'Pools',
    'Pool, oder Knoten über getwork, für den geschürft wird; mehrfach möglich, in der Reihenfolge des Ausweichens, und exit am Ende beendet dort das Programm.',
  ],
  'pool.reportHashrate': ['Hashrate melden', 'Dem Pool einmal in der Minute die Hashrate melden.'],
  'pool.workTimeoutMs': [
    'Längste Zeit ohne Auftrag',
    'Ein Pool, der so lange keinen neuen Auftrag gibt, wird verlassen.',
  ],
  'pool.responseTimeoutMs': [
    'Längste Zeit ohne Antwort',
    'Ein Pool, der eine Anfrage so lange nicht beantwortet, wird verlassen.',
  ],
  'pool.retryDelayMs': [
    'Erste Wartezeit vor neuem Versuch',
    'Erste Wartezeit, bevor ein Pool neu versucht wird; sie verdoppelt sich bis zu einer Minute.',
  ],
  'pool.retryMax': [
    'Versuche vor dem nächsten Pool',
    'Versuche bei einem Pool, bevor der nächste an der Reihe ist; 0 = ohne Ende.',
  ],
  'pool.failoverMinutes': [
    'Zum ersten Pool zurück alle',
    'Wie oft ein späterer Pool für den ersten verlassen wird, sobald dieser wieder Arbeit gibt; 0 = nie.',
  ],
  'pool.recheckMs': ['Nach Arbeit fragen alle', 'Zeit zwischen zwei Fragen nach Arbeit an einen Knoten über getwork.'],
  'pool.ergodicity': [
    'Neue erste Nonce',
    'Wann die erste Nonce neu gezogen wird: 0 beim Start, 1 bei jeder Verbindung, 2 bei jedem Auftrag.',
  ],
  'pool.certificateFile': [
    'Zertifikate der Pools',
    'Zertifikate (PEM), an denen Pools statt an denen des Systems geprüft werden; auch die Variable SSL_CERT_FILE.',
  ],
  'pool.noVerify': [
    'Zertifikate nicht prüfen',
    'Die Zertifikate der Pools nicht prüfen; auch die Variable SSL_NOVERIFY. ?verify=0 tut es für einen Pool.',
    'Wer dazwischen sitzt, kann die Anteile nehmen.',
  ],
  'rigs.list': [
    'Rigs',
    'Ein weiteres Rig, das über seinen Steuer-Port beobachtet wird, mit dessen Token hinter #; mehrfach möglich.',
    'Andere Benutzer dieses Computers können eine Befehlszeile lesen; für Token ist --rig-file besser.',
  ],
  'rigs.file': [
    'Datei der Rigs',
    'Datei mit einem Rig je Zeile, geschrieben wie bei --rig; Zeilen, die mit # beginnen, sind Kommentare.',
  ],
  'rigs.intervalSeconds': ['Nach Rigs sehen alle', 'Zeit zwischen zwei Blicken auf ein Rig.'],
  'rigs.monitor': ['Nur beobachten', 'Nur andere Rigs beobachten: kein Schürfen, kein Steuern.'],
})
