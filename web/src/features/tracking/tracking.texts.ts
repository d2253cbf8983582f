import { defineMessages } from '../../lib/i18n/messages.ts'

/** Texts for receivers. */
export const trackTexts = defineMessages('tracking', {
  brand: 'Karvon Express',
  language: 'Язык',
  title: 'Отслеживание посылки',
  subtitle: 'Номер заказа и последние четыре цифры телефона получателя.',
  titleOf: 'Посылка {orderno}',
  digitsOnly: 'Чтобы увидеть посылку, введите последние четыре цифры телефона получателя.',
  orderno: 'Номер заказа',
  phone: 'Последние 4 цифры телефона',
  submit: 'Найти посылку',
  loading: 'Поиск...',
  noOrder: 'Введите номер заказа',
  noDigits: 'Введите четыре цифры',
  notFound:
    'Посылка с таким номером и такими цифрами телефона не найдена. Проверьте их и попробуйте ещё раз.',
  tooMany: 'Слишком много попыток. Попробуйте снова через {minutes} мин.',
  failed: 'Сервер не отвечает. Попробуйте ещё раз чуть позже.',
  history: 'История статусов',
  updated: 'Обновлено {time}',
  another: 'Другая посылка',
})
