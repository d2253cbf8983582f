import { speak } from '../ui/language/language.ts'

export const usersTexts = speak({
  empty: 'No users found',
  activate: 'Activate',
  deactivate: 'Deactivate',
  activateFailed: 'Failed to activate user. Please try again.',
  deactivateFailed: 'Failed to deactivate user. Please try again.',
})
