// Die Optionen von Miner, GPUs, Pools und Rigs auf Deutsch.
import { optionTexts } from '../../option-text'

export const germanMinerOptions = optionTexts({
  'miner.cpu': ['CPU-Mining', 'Zusätzlich zu GPUs auf der CPU minen.'],
  'miner.cpuThreads': ['CPU-Threads', 'Threads für CPU-Mining.'],
  'miner.devices': [
    'Geräte',
    'Geräte zum Minen: Nummern aus headframe devices, PCI-Adressen, gpu, cpu oder all; ein Minus schließt eines aus (--devices=all,-1).',
  ],
  'miner.simulatedGpus': [
    'Simulierte GPUs',
    'GPUs aus Software mit simulierten Sensoren, zum Ausprobieren; nur im Übungsnetz und in eigenen Netzen.',
  ],
  'miner.tstop': [
    'Pausieren ab',
    'Ein Gerät ab dieser Temperatur pausieren (Hotspot +15 °C, Speicher +20 °C). 0 = die eigene Grenze des Geräts, falls es eine hat.',
  ],
  'miner.tstart': ['Fortsetzen unter', 'Ein wegen Hitze pausiertes Gerät unter dieser Temperatur fortsetzen.'],
  'miner.hwmon': [
    'Sensoren',
    'Gelesene Sensoren: 0 keine, 1 Temperatur und Lüfter, 2 auch Leistung und Takt.',
    'Mit 0 wird kein Gerät wegen Hitze pausiert.',
  ],
  'miner.dagLoadMode': ['DAG-Erzeugung', 'DAG auf allen Geräten gleichzeitig (0) oder nacheinander (1) erzeugen.'],
  'miner.dagDouble': [
    'Nächsten DAG vorab erzeugen',
    'Den DAG der nächsten Epoche vorab erzeugen, wo der Speicher reicht; Geräte wechseln dann sofort.',
  ],
  'miner.schedule': [
    'Zeitplan',
    'Mining-Zeiten in Ortszeit: Stunden, davor wahlweise die Tage, an denen sie beginnen (mon-fri@22:00-06:00,sat-sun@00:00-24:00).',
  ],
  'miner.simulation': [
    'Benchmark',
    'Benchmark: mit dem DAG dieser Blockhöhe gegen ein unerreichbares Ziel rechnen; nichts wird eingereicht.',
  ],
  'miner.exitOnFailure': [
    'Bei Geräteausfall beenden',
    'Mit Code 1 beenden, wenn ein Gerät nach drei Neustarts in einer Stunde erneut ausfällt.',
  ],
  'miner.noEval': [
    'CPU-Prüfung auslassen',
    'Lösungen eines Geräts nach 100 richtigen in Folge ohne CPU-Prüfung senden.',
    'Rechnet ein Gerät danach falsch, bemerkt das der Pool, nicht Headframe.',
  ],
  'tuning.goal': [
    'Beste Einstellung suchen',
    'Leistungsgrenze und Takte beim Minen suchen: efficiency = meiste Hashes je Joule, margin = meister Ertrag abzüglich Strom (mit Strompreis und Ertrag).',
    'Ändert, wie die Karte läuft. Ihre eigenen Werte gelten wieder, wenn das Programm endet, oder ab dem nächsten Start.',
  ],
  'tuning.profile': [
    'Tuning-Profil',
    'Jede Karte so einstellen, wie es dieses Profil für ihr Modell sagt, solange der Miner läuft.',
    'Ändert, wie die Karte läuft. Ihre eigenen Werte gelten wieder, wenn das Programm endet, oder ab dem nächsten Start.',
  ],
  'tuning.price': ['Strompreis', 'Preis einer kWh, für die Suche nach dem besten Ertrag.'],
  'tuning.income': [
    'Ertrag je MH/s und Tag',
    'Was ein MH/s am Tag in demselben Geld einbringt, für die Suche nach dem besten Ertrag.',
  ],
  'tuning.temperature': [
    'Kühlen ab',
    'Geräte unter dieser Temperatur halten, erst mit dem Lüfter, dann mit dem Takt, bevor sie pausieren.',
    'Stellt den Lüfter von Hand. Die Karte übernimmt ihn wieder, wenn das Programm endet, oder ab dem nächsten Start.',
  ],
  'money.laxPrice': ['Preis eines LAX', 'Preis eines LAX in Ihrer Währung, für die Marge.'],
  'money.powerPrice': ['Strompreis', 'Preis einer kWh in Ihrer Währung, für die Kosten des Minings.'],
  'money.currency': ['Währung', 'Code oder Zeichen der Währung aller Preise, etwa EUR.'],
  'alerts.to': [
    'Alarme gehen an',
    'Wohin Vorfälle gemeldet werden: https:// (Webhook), ntfy://, telegram://, smtps:// oder command:/DATEI; mehrfach möglich.',
    'Andere Benutzer dieses Computers können die Befehlszeile lesen; Token und Passwörter gehören in die Konfigurationsdatei.',
  ],
  'alerts.quietHours': ['Ruhezeit der Alarme', 'Ruhezeit der Alarme, Ortszeit: nur Probleme werden gesendet.'],
  'alerts.repeatMinutes': [
    'Alarm wiederholen nach',
    'Einen Vorfall nach dieser Zeit erneut senden, solange ihn niemand bestätigt; 0 = nie.',
  ],
  'alerts.escalateMinutes': [
    'Alarm eskalieren nach',
    'Ein Problem an alle Adressen senden, auch an die mit #escalation, wenn es so lange niemand bestätigt hat; 0 = nie.',
  ],
  'gpu.opencl': ['OpenCL', 'Nur OpenCL-GPUs nutzen. Mit -U auch CUDA.'],
  'gpu.cuda': ['CUDA', 'Nur CUDA-GPUs nutzen. Mit -G auch OpenCL.'],
  'gpu.clDevices': ['OpenCL-Geräte', 'OpenCL-Geräte nach den Nummern ihrer Treiber; CPUs nur, wenn sie hier stehen.'],
  'gpu.clCpu': ['CPUs über OpenCL', 'Auch CPUs über OpenCL nutzen. Langsamer als --cpu; zum Testen von OpenCL.'],
  'gpu.clLocalWork': ['OpenCL-Gruppengröße', 'Work-Items pro OpenCL-Gruppe.'],
  'gpu.clGlobalWork': ['OpenCL-Gruppen pro Start', 'Gruppen pro OpenCL-Start.'],
  'gpu.cuDevices': ['CUDA-Geräte', 'CUDA-Geräte nach den Nummern ihres Treibers.'],
  'gpu.cuBlockSize': ['CUDA-Blockgröße', 'Threads pro CUDA-Block.'],
  'gpu.cuGridSize': ['CUDA-Blöcke pro Start', 'Blöcke pro CUDA-Start.'],
  'gpu.cuSchedule': [
    'CUDA-Warteart',
    'Wie CUDA auf die GPU wartet: sync schläft, spin und yield belegen je einen CPU-Kern.',
  ],
  'pool.urls': [
    'Pools',
    'Pool oder getwork-Knoten; mehrfach möglich, in der Reihenfolge bei Ausfall. exit am Ende beendet dann das Programm.',
  ],
  'pool.user': [
    'Pool-Benutzer',
    'Benutzername für die Pools, neben ihrer Adresse und wörtlich; eine Adresse darf ihren eigenen enthalten.',
  ],
  'pool.worker': ['Worker-Name', 'Name dieses Rigs für die Pools, neben ihrer Adresse und wörtlich.'],
  'pool.password': ['Pool-Passwort', 'Passwort für die Pools, neben ihrer Adresse und wörtlich.'],
  'pool.proxy': ['Proxy für Pools', 'SOCKS5-Proxy für die Pools; er löst ihre Namen auf, auch die von Tor.'],
  'pool.reportHashrate': ['Hashrate melden', 'Dem Pool einmal pro Minute die Hashrate melden.'],
  'pool.workTimeoutMs': ['Zeitlimit für neue Jobs', 'Den Pool wechseln, wenn so lange kein neuer Job kommt.'],
  'pool.responseTimeoutMs': [
    'Zeitlimit für Antworten',
    'Den Pool wechseln, wenn er eine Anfrage so lange nicht beantwortet.',
  ],
  'pool.retryDelayMs': [
    'Wartezeit vor dem nächsten Versuch',
    'Erste Wartezeit vor einem neuen Versuch; sie verdoppelt sich bis zu einer Minute.',
  ],
  'pool.retryMax': [
    'Versuche vor dem nächsten Pool',
    'Versuche bei einem Pool, bevor der nächste drankommt; 0 = unbegrenzt.',
  ],
  'pool.failoverMinutes': [
    'Zum ersten Pool zurück nach',
    'Zum ersten Pool zurückkehren, sobald er so lange wieder erreichbar ist; 0 = nie.',
  ],
  'pool.recheckMs': ['getwork-Intervall', 'Wie oft ein getwork-Knoten nach Arbeit gefragt wird.'],
  'pool.ergodicity': [
    'Neue Start-Nonce',
    'Wann die Start-Nonce neu gewählt wird: 0 beim Start, 1 bei jeder Verbindung, 2 bei jedem Job.',
  ],
  'pool.certificateFile': [
    'Pool-Zertifikate',
    'Zertifikate (PEM), mit denen Pools statt mit denen des Systems geprüft werden; auch über SSL_CERT_FILE.',
  ],
  'pool.noVerify': [
    'Zertifikate nicht prüfen',
    'Pool-Zertifikate nicht prüfen; auch über SSL_NOVERIFY. ?verify=0 gilt für einen Pool.',
    'Ein Angreifer auf der Strecke kann Ihre Shares stehlen.',
  ],
  'rigs.list': [
    'Rigs',
    'Rig, das über seinen Steuer-Port überwacht wird, mit Token hinter # und Labels dahinter (group=keller); mehrfach möglich.',
    'Andere Benutzer dieses Rechners können Befehlszeilen lesen; geben Sie Token besser mit --rig-file an.',
  ],
  'rigs.file': ['Rig-Datei', 'Datei mit einem Rig pro Zeile wie bei --rig; Zeilen mit # am Anfang sind Kommentare.'],
  'rigs.intervalSeconds': ['Abfrageintervall', 'Wie oft jedes Rig abgefragt wird.'],
  'rigs.monitor': ['Nur überwachen', 'Nur andere Rigs überwachen, nicht minen.'],
})
