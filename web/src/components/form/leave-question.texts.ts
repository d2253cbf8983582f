import { defineMessages } from '../../lib/i18n/messages.ts'

/** The question before a page with changed input is left. The page of parcels is in Russian while no language is picked. */
export const leaveTexts = defineMessages('leave', {
  question: 'Leave without saving?',
  reason: 'Your changes on this page will be lost.',
  leave: 'Leave',
  cancel: 'Cancel',
  russian: {
    question: 'Уйти без сохранения?',
    reason: 'Изменения на этой странице будут потеряны.',
    leave: 'Уйти',
    cancel: 'Отмена',
  },
})
