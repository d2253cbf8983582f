import { speak } from '../ui/language/language.ts'

export const usersTexts = speak({
  empty: 'No users found',
  activate: 'Activate',
  deactivate: 'Deactivate',
  activateFailed: 'Failed to activate user. Please try again.',
  secondFactorOff: 'Take second factor off',
  secondFactorIsOff: 'Second factor taken off.',
  secondFactorConfirm: (who: string) => `Take the second factor of ${who} off?`,
  secondFactorReason: 'The password alone lets them in from then on, and their sessions end now.',
  secondFactorFailed: 'Failed to take the second factor off. Please try again.',
  deactivateFailed: 'Failed to deactivate user. Please try again.',
})
