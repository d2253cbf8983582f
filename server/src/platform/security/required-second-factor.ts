import { adminCode } from '@karvon/contract/auth/auth.ts'
import type { Config } from '../../config.ts'

/** Whether the installation requires a second factor of people with this role. Without it, they reach nothing but their own account. */
export const isSecondFactorRequired = (
  { requireSecondFactor }: Pick<Config, 'requireSecondFactor'>,
  roleCode: string,
): boolean => requireSecondFactor === 'admins' && roleCode === adminCode
