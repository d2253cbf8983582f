import { defineMessages } from '../../lib/i18n/messages.ts'

/**
 * Texts of the screens before sign-in beyond the specification, for an installation with live registration.
 */
export const accountsTexts = defineMessages('accounts', {
  activation: 'Войти можно будет, когда администратор включит учётную запись.',
  tooShort: 'Пароль должен быть не короче 8 символов',
  reset: {
    title: 'Новый пароль',
    password: 'Новый пароль',
    confirm: 'Подтвердите пароль',
    submit: 'Сохранить пароль',
    mismatch: 'Passwords do not match',
    done: 'Пароль изменён. Теперь можно войти.',
    noLink: 'Ссылка недействительна или устарела. Запросите новую.',
    again: 'Запросить новую ссылку',
    failed: 'Не удалось сохранить пароль. Попробуйте ещё раз.',
  },
})
