import { formatBytes, formatNumber } from '../../lib/format/number.format.ts'
import type { ExportTexts } from '../../resources/exports/export.texts.ts'
import type { ImportTexts } from '../../resources/imports/import.texts.ts'
import { translate } from '../../lib/i18n/language.ts'

const currencies: Readonly<Record<string, string>> = { UZS: 'сум' }

/** The parcels screen is in Russian, the titles of its toasts in Uzbek (specification, sections 1 and 8). */
export const parcelTexts = translate({
  title: 'Посылки',
  search: 'Поиск по номеру заказа',
  empty: 'Посылки не найдены по вашим критериям.',
  loadFailed: 'Failed to load parcels. Please try again later.',
  detailFailed: 'Не удалось загрузить посылку.',
  statuses: 'Статус',
  all: 'Все',
  codes: {
    PENDING: 'Ожидает',
    PROCESSING: 'В обработке',
    IN_TRANSIT: 'В пути',
    DELIVERED: 'Доставлен',
    RETURNED: 'Возврат',
  },
  columns: {
    order: 'Заказ',
    status: 'Статус',
    receiver: 'Получатель',
    town: 'Город',
    weight: 'Вес, кг',
    price: (currency: string) => `Доставка, ${currency}`,
  },
  facts: {
    barcode: 'Штрихкод',
    date: 'Дата',
    receiver: 'Получатель',
    address: 'Адрес',
    service: 'Услуга',
    type: 'Тип',
    delivery: 'Доставка',
    owner: 'Владелец',
  },
  weight: (kg: string) => `${kg} кг`,
  quantity: (count: number) => `мест: ${count}`,
  history: 'История статусов',
  eventsShown: (shown: number, total: number) =>
    `Показано событий: ${formatNumber(shown)} из ${formatNumber(total)}`,
  notesShown: (shown: number, total: number) =>
    `Показано заметок: ${formatNumber(shown)} из ${formatNumber(total)}`,
  moreEvents: {
    more: 'Показать ещё события',
    loading: 'Загрузка...',
    failed: 'Не удалось загрузить. Попробуйте ещё раз.',
  },
  moreNotes: {
    more: 'Показать ещё заметки',
    loading: 'Загрузка...',
    failed: 'Не удалось загрузить. Попробуйте ещё раз.',
  },
  detail: 'Посылка',
  none: '—',
  currencies,
})

export const uploadTexts = translate({
  toggle: 'Загрузка заказов',
  file: 'Файл',
  comment: 'Комментарий',
  submit: 'Загрузить',
  cancel: 'Отмена',
  loading: 'Загрузка...',
  template: 'Скачать шаблон',
  reading: 'Читаем файл…',
  document: 'Это документ, не таблица заказов: он будет отправлен как есть.',
  showRows: 'Посмотреть',
  hideRows: 'Скрыть',
  success: 'Muvaffaqiyat',
  failure: 'Xatolik',
  noFile: 'Файл не выбран',
  sent: 'Файл успешно загружен и отправлен в Telegram',
  notSent: 'Файл загружен, но не отправлен в Telegram: ',
  noReason: '—',
  sentLater: 'Файл сохранён и будет отправлен автоматически.',
  sentOnceSetUp: 'Файл сохранён: его отправят, когда администратор настроит Telegram.',
  failed: 'Ошибка при загрузке файла',
})

const formatSize = (bytes: number) => formatBytes(bytes, ['кБ', 'МБ', 'ГБ'], ',')

/** Toasts of this screen have Uzbek titles (specification, section 1). */
export const parcelExportTexts: ExportTexts = translate({
  open: 'Экспорт',
  kinds: { csv: 'CSV', xlsx: 'Excel' },
  running: (file) => `Экспорт: ${file}`,
  size: formatSize,
  soFar: (size) => `Получено ${size}`,
  cancel: 'Отмена',
  done: 'Muvaffaqiyat',
  failed: 'Xatolik',
})

export const parcelImportTexts: ImportTexts = translate({
  open: 'Импорт',
  title: 'Импорт посылок',
  source: 'Источник',
  file: 'Файл csv или xlsx',
  template: 'Скачать шаблон:',
  kinds: { csv: 'CSV', xlsx: 'Excel' },
  templateFailed: 'Не удалось скачать шаблон.',
  submit: 'Импортировать',
  loading: 'Импорт...',
  failed: 'Не удалось импортировать файл.',
  sourcesFailed: 'Не удалось загрузить источники.',
  again: 'Строки, которые уже приняты, останутся; повторный импорт ничего не удвоит.',
  sending: (file) => `Отправка: ${file}`,
  working: (file) => `Импорт: ${file}`,
  sent: (sent, total) => `${formatSize(sent)} из ${formatSize(total)}`,
  rows: (rows) => `Строк: ${formatNumber(rows)}`,
  stop: 'Остановить',
  stopped: 'Остановлено: из файла ничего не принято.',
  background: 'Окно можно закрыть: импорт продолжится.',
  finished: 'Muvaffaqiyat',
  report: {
    label: 'Итог загрузки',
    imported: 'Новых',
    updated: 'Обновлено',
    unchanged: 'Без изменений',
    skipped: 'Пропущено',
    problems: 'Строки с ошибками',
    row: 'Строка',
    field: 'Поле',
    message: 'Ошибка',
    save: 'Сохранить csv',
    first: (listed, all) => `Первые ${formatNumber(listed)} из ${formatNumber(all)} пропущенных строк.`,
    reasonsLost: 'Связь прервалась, причины пропусков не дошли: импортируйте файл ещё раз.',
  },
})

/** Texts of the components on this screen that differ from the defaults. */
export const parcelWidgets = translate({
  tryAgain: 'Попробовать снова',
  loading: 'Загрузка...',
  close: 'Закрыть',
  clear: 'Очистить',
  cancel: 'Отмена',
  sortBy: 'Сортировка',
  ascending: 'по возрастанию',
  descending: 'по убыванию',
  notSorted: 'Обычный порядок',
  chooseFile: 'Выберите файл или перетащите его сюда',
  wrongFile: (accept: string) => `Файл этого типа не принимается. Можно: ${accept}`,
  remove: (label: string) => `Убрать ${label}`,
  fieldRequired: (label: string) => `Заполните поле «${label}»`,
  tooLong: (label: string, max: number) => `${label}: не больше ${max} знаков`,
  selectPlaceholder: (label: string) => `Выберите: ${label}`,
  noOptions: 'Ничего не найдено',
  openRow: (label: string) => `Открыть ${label}`,
})
