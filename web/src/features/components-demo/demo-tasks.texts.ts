import { defineMessages } from '../../lib/i18n/messages.ts'

export const demoTaskTexts = defineMessages('demoTasks', {
  working: 'Exporting {file}',
  done: '{part} of 3 MB',
  cancel: 'Cancel',
  saveFailed: 'Failed to save offer. Please try again.',
  refused: 'Failed to save offer.',
  taken: 'This name is taken',
  muvaffaqiyat: 'Muvaffaqiyat',
  xatolik: 'Xatolik',
  uploaded: 'Файл успешно загружен и отправлен в Telegram',
  uploadFailed: 'Ошибка при загрузке файла',
  silent: 'The server did not answer',
})
