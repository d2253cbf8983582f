import { createContext, useContext } from 'react'
import { defineMessages } from '../lib/i18n/messages.ts'

/**
 * The texts of the components, in the specification's mix of languages. A page overrides single texts by
 * props. A language overrides all of them.
 */
export const defaultTexts = defineMessages('ui', {
  toDark: 'Switch to dark theme',
  toLight: 'Switch to light theme',
  empty: 'No data found.',
  tryAgain: 'Try again',
  stale: 'The rows may be out of date.',
  loading: 'Loading...',
  close: 'Close',
  clear: 'Clear',
  cancel: 'Cancel',
  save: 'Save',
  ok: 'OK',
  search: 'Search',
  failed: 'An error occurred',
  notLoaded: 'This part could not be loaded. Reload the page.',
  saved: 'Saved successfully.',
  required: 'This field is required',
  invalidOption: 'Please select a valid option',
  noOptions: 'No options found',
  atMost: 'At most {max, number} values. Remove one to choose another.',
  fieldRequired: '{label} is required',
  tooLong: '{label} must have at most {max} characters',
  selectPlaceholder: 'Select {label}',
  invalidEmail: 'Enter a valid email address',
  invalidUrl: 'Enter a full address that starts with http:// or https://',
  invalidNumber: 'Enter a number',
  invalidDay: 'Enter a valid date',
  invalidMoney: 'Enter an amount with at most 2 decimals',
  tooLarge: 'Enter a smaller amount',
  remove: 'Remove {label}',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  chooseFile: 'Choose a file or drop it here',
  wrongFile: 'This file type is not accepted. Accepted: {accept}',
  selectAll: 'Select all rows',
  selectRow: 'Select {label}',
  openRow: 'Open {label}',
  selected: '{count, number} selected',
  sortBy: 'Sort by',
  ascending: 'ascending',
  descending: 'descending',
  notSorted: 'Default order',
  notifications: 'Notifications',
  pages: 'Страницы',
  page: 'Страница {page}',
  previousPage: 'Предыдущая страница',
  nextPage: 'Следующая страница',
  pageSize: 'Записей на странице',
  perPage: '{size} на странице',
  shown: 'Показано {shown, number} из {total, number} записей',
  shownFiltered: 'Показано {shown, number} из {filtered, number} записей (отфильтровано из {total, number})',
  dateRange: 'Период',
  chooseDates: 'Выберите период',
  dateFrom: 'Дата с',
  dateTo: 'Дата по',
  dateHint: 'дд.мм.гггг',
  invalidDate: 'Введите дату как дд.мм.гггг',
  dateOutOfRange: 'Дата вне допустимого периода',
  apply: 'Применить',
  previousMonth: 'Предыдущий месяц',
  nextMonth: 'Следующий месяц',
  presets: {
    today: 'Сегодня',
    yesterday: 'Вчера',
    last_7_days: 'Последние 7 дней',
    last_30_days: 'Последние 30 дней',
    this_month: 'Текущий месяц',
    last_month: 'Прошлый месяц',
  },
})

export type UiTexts = typeof defaultTexts

export const UiTextsContext = createContext<UiTexts>(defaultTexts)

/** The texts of the components for the current page. */
export function useUiTexts(): UiTexts {
  return useContext(UiTextsContext)
}
