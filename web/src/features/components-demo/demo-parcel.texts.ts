import { defineMessages } from '../../lib/i18n/messages.ts'

export const demoParcelTexts = defineMessages('demoParcel', {
  receiver: 'Получатель',
  address: 'Адрес',
  delivery: 'Доставка',
  history: 'История статусов',
  courier: 'Выдан курьеру на доставку',
  sent: 'Отправлено со склада',
  taken: 'Получен складом',
  fresh: 'Новый',
})
