// The Russian texts of the first steps.
import type { Catalogue } from '../en/all'

export const welcomeTexts = {
  'ui.welcome.title': 'Настройка майнинга',
  'ui.welcome.computer': 'Этот компьютер',
  'ui.welcome.card':
    '{network, select, practice {Вы в учебной сети. Настройте настоящий майнинг за несколько шагов.} other {Завершите настройку: счёт для выплат, устройства, соло или пул.}}',
  'ui.welcome.later': 'Не сейчас',
  'ui.welcome.start': 'Начать майнинг',
  'ui.welcome.leave': 'К обзору',
  'ui.welcome.step.network': 'Сеть',
  'ui.welcome.step.folder': 'Папка данных',
  'ui.welcome.step.account': 'Счёт',
  'ui.welcome.step.work': 'Соло или пул',
  'ui.welcome.step.sharing': 'Доступ',
  'ui.welcome.network.practice':
    'Частная цепочка на этом компьютере с лёгким доказательством работы. Попробуйте всё за секунды, без всякого риска.',
  'ui.welcome.network.main':
    'Настоящая цепочка. Монеты чего-то стоят, блок находят в среднем каждые 10 минут, и для заработка нужен GPU с достаточной памятью.',
  'ui.welcome.network.test': 'Публичная цепочка для тестов. Работает как основная сеть, но монеты ничего не стоят.',
  'ui.welcome.folderText': 'Здесь Headframe хранит цепочку, файлы ключей, логи и настройки.',
  'ui.welcome.needed': 'Рекомендуется',
  'ui.welcome.noRoom': 'На этом диске мало места. Синхронизация остановится раньше, чем он заполнится.',
  'ui.welcome.payHere': 'Взять этот счёт',
  'ui.welcome.payTo': 'Адрес выплат',
  'ui.welcome.payToHint': 'Пусто: оставить текущий. Для майнинга нужен только адрес, не ключ.',
  'ui.welcome.devicesText':
    'Headframe нашёл эти устройства. Измерьте их на полном размере основной сети: ничего не добывается, майнинг на это время приостановлен.',
  'ui.welcome.measure': 'Измерить этот компьютер',
  'ui.welcome.measureStop': 'Остановить измерение',
  'ui.welcome.measurePreparing':
    'Создаётся полный DAG. Видеокарте нужно до минуты, процессору — несколько минут. Затем измерение длится 20 с.',
  'ui.welcome.measureFailed': 'Не измерено.',
  'ui.welcome.measureDone': 'Измерено на полном размере: {hashrate}.',
  'ui.welcome.measureLeft': 'Измерение, осталось {seconds} с',
  'ui.welcome.soloText': 'Целые блоки, но редко. Вся награда ваша; сколько ждать блок, решает удача.',
  'ui.welcome.poolText': 'Небольшие выплаты, но часто. Пул платит за ваши шары и берёт комиссию.',
  'ui.welcome.wait10': 'Вероятность блока 10 % за',
  'ui.welcome.wait50': 'Вероятность 50 % за',
  'ui.welcome.wait90': 'Вероятность 90 % за',
  'ui.welcome.waitUnknown': 'Когда загрузятся заголовки этой сети, обзор покажет, сколько времени занимает блок.',
  'ui.welcome.local': 'Только этот компьютер',
  'ui.welcome.localText': 'Другие компьютеры подключиться не могут.',
  'ui.welcome.home': 'Телефоны и компьютеры домашней сети',
  'ui.welcome.homeText':
    'Открывает панель в домашней сети. Видеть её может любой с токеном. Управление выключено, ключи остаются на этом компьютере.',
  'ui.welcome.tokenText': 'После перезапуска отсканируйте код телефоном или введите токен:',
  'ui.welcome.qr': 'QR-код с адресом панели и токеном',
  'ui.welcome.noAddress': 'Этот компьютер не подключён к домашней сети.',
  'ui.welcome.needsAccount': 'Счёт для выплат не выбран. Нода синхронизируется, но ничего не майнится.',
  'ui.welcome.commandLine': 'То же в командной строке',
  'ui.welcome.failed': 'Не удаётся сохранить --{flag}: {reason}',
  'ui.welcome.done': 'Готово. Headframe работает с этими настройками.',
  'ui.welcome.live': 'Что сейчас делает Headframe',
  'ui.welcome.live.starting': 'Запуск майнера',
  'ui.welcome.live.noPool': 'Пула пока нет. Добавьте его в разделе «Пулы».',
  'ui.welcome.live.connecting': 'Подключение к {host}',
  'ui.welcome.live.pool': 'Подключено к {host}',
  'ui.welcome.live.noWork': 'Ожидание работы от вашей ноды',
  'ui.welcome.live.node': 'Ваша нода даёт работу',
  'ui.welcome.live.failed': '{name}: сбой: {reason}',
  'ui.welcome.live.mining':
    '{count, plural, one {# устройство майнит: {hashrate}} few {# устройства майнят: {hashrate}} many {# устройств майнят: {hashrate}} other {# устройства майнят: {hashrate}}}',
  'ui.welcome.live.paused': 'Все устройства на паузе',
  'ui.welcome.live.noDevice': 'Пока ни одно устройство не майнит',
  'ui.welcome.live.share': 'Шара принята: майнинг работает',
  'ui.welcome.live.block': 'Блок найден: майнинг работает',
  'ui.welcome.live.noProof': 'Шар пока нет',
  'ui.welcome.live.shareEvery': 'Ожидание первой шары, в среднем около {duration}',
  'ui.welcome.live.blockEvery': 'Поиск блока, в среднем около {duration}',
  'ui.welcome.practiceStays':
    'Учебный счёт остаётся в учебной сети: его пароль сохранён открытым текстом. Создайте или импортируйте счёт либо введите адрес.',
  'ui.welcome.practiceOnly': 'Это ваш учебный счёт. Выберите другой адрес: его пароль сохранён открытым текстом.',
  'ui.welcome.willRestart':
    'Headframe перезапустится с этими настройками. Страница переподключится через несколько секунд.',
  'ui.welcome.restarting': 'Перезапуск с вашими настройками…',
  'ui.welcome.doneRestart':
    'Сохранено, но Headframe не может перезапуститься сам: {reason}. Закройте его и запустите снова, чтобы применить настройки.',
  'ui.welcome.oldElectron':
    'Этот Electron ({version}) не получает исправлений безопасности, поэтому после перезапуска Headframe не откроет окно в этой сети. Программа продолжит работать: откройте в браузере ссылку из {file}. Чтобы сохранить окно, сначала установите актуальный Electron.',
  'ui.welcome.networkDrive': 'Эта папка на сетевом диске. Цепочке нужен быстрый локальный диск; выберите другую папку.',
  'ui.welcome.decline': 'Пропустить настройку',
} satisfies Catalogue
