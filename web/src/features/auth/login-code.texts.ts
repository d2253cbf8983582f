import { defineMessages } from '../../lib/i18n/messages.ts'

export const loginCodeTexts = defineMessages('loginCode', {
  title: 'Код подтверждения',
  fromApp: 'Введите код из приложения-аутентификатора.',
  fromList: 'Введите один из кодов восстановления, которые вы сохранили. Он подойдёт один раз.',
  code: 'Код подтверждения',
  recoveryCode: 'Код восстановления',
  empty: 'Введите код',
  wrong: 'Неверный код, или он уже использован',
  withRecovery: 'Использовать код восстановления',
  withApp: 'Использовать код из приложения',
  back: 'Назад',
})
