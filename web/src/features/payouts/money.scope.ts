/** 'all': the money of all people, for admins. 'own': that of the person who asks. */
export type MoneyScope = 'all' | 'own'
