import { defineMessages } from '../../lib/i18n/messages.ts'

/** The sign-in is in Russian. The messages of register and reset are quoted from the specification. */
export const authTexts = defineMessages('auth', {
  brand: 'Karvon Express',
  heroTitle: 'Каждая посылка и каждый сум на своём месте',
  heroText: 'Посылки, лиды и выплаты всех партнёрских сетей в одном кабинете.',
  links: { login: 'Login', register: 'Register', forgot: 'Forgot Password' },
  linksLabel: 'Вход и регистрация',
  language: 'Язык',
  username: 'Имя пользователя',
  email: 'Email',
  password: 'Пароль',
  /** Without the word of the field's label, by which screen readers and programs find the field. */
  widgets: {
    showPassword: 'Показать символы',
    hidePassword: 'Скрыть символы',
    tooLong: '{label}: не больше {max} знаков',
  },
  login: {
    title: 'Вход',
    submit: 'Войти',
    loading: 'Вход...',
    empty: 'Введите имя пользователя и пароль',
    wrong: 'Неверное имя пользователя или пароль',
    noToken: 'Неверный ответ от сервера',
    unknown: 'Произошла неизвестная ошибка. Пожалуйста, попробуйте снова.',
  },
  register: {
    title: 'Регистрация',
    confirm: 'Подтвердите пароль',
    submit: 'Зарегистрироваться',
    mismatch: 'Passwords do not match',
    done: 'Registration successful! You can now log in.',
    failed: 'Registration failed. Please try again.',
  },
  forgot: {
    title: 'Сброс пароля',
    subtitle: 'Введите email, и мы пришлём инструкции.',
    submit: 'Отправить инструкции',
    done: 'Password reset instructions have been sent to your email.',
    failed: 'Failed to send reset instructions. Please try again.',
  },
})
