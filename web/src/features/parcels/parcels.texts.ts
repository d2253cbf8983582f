import type { ExportTexts } from '../../resources/exports/export.texts.ts'
import type { ImportTexts } from '../../resources/imports/import.texts.ts'
import { defineMessages } from '../../lib/i18n/messages.ts'

const currencies: Readonly<Record<string, string>> = { UZS: 'сум' }

/** The parcels screen is in Russian, the titles of its toasts in Uzbek (specification, sections 1 and 8). */
export const parcelTexts = defineMessages('parcels', {
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
    price: 'Доставка, {currency}',
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
  weight: '{kg} кг',
  quantity: 'мест: {count}',
  history: 'История статусов',
  eventsShown: 'Показано событий: {shown, number} из {total, number}',
  notesShown: 'Показано заметок: {shown, number} из {total, number}',
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
  currencies,
})

export const uploadTexts = defineMessages('parcels.upload', {
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

const units = { kilobyte: 'кБ', megabyte: 'МБ', gigabyte: 'ГБ', decimalMark: ',' }

/** Toasts of this screen have Uzbek titles (specification, section 1). */
export const parcelExportTexts: ExportTexts = defineMessages('parcels.export', {
  open: 'Экспорт',
  kinds: { csv: 'CSV', xlsx: 'Excel' },
  running: 'Экспорт: {file}',
  units,
  soFar: 'Получено {size}',
  cancel: 'Отмена',
  done: 'Muvaffaqiyat',
  failed: 'Xatolik',
})

export const parcelImportTexts: ImportTexts = defineMessages('parcels.import', {
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
  sending: 'Отправка: {file}',
  working: 'Импорт: {file}',
  sent: '{sent} из {total}',
  units,
  rows: 'Строк: {rows, number}',
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
    first: 'Первые {listed, number} из {all, number} пропущенных строк.',
    reasonsLost: 'Связь прервалась, причины пропусков не дошли: импортируйте файл ещё раз.',
  },
})

/** Texts of the components on this screen that differ from the defaults. */
export const parcelWidgets = defineMessages('parcels.ui', {
  tryAgain: 'Попробовать снова',
  notLoaded: 'Не удалось загрузить эту часть. Обновите страницу.',
  loading: 'Загрузка...',
  close: 'Закрыть',
  clear: 'Очистить',
  cancel: 'Отмена',
  sortBy: 'Сортировка',
  ascending: 'по возрастанию',
  descending: 'по убыванию',
  notSorted: 'Обычный порядок',
  chooseFile: 'Выберите файл или перетащите его сюда',
  wrongFile: 'Файл этого типа не принимается. Можно: {accept}',
  remove: 'Убрать {label}',
  fieldRequired: 'Заполните поле «{label}»',
  tooLong: '{label}: не больше {max} знаков',
  selectPlaceholder: 'Выберите: {label}',
  noOptions: 'Ничего не найдено',
  openRow: 'Открыть {label}',
})
