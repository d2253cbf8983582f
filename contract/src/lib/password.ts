/** The minimum length of a password that a person chooses, in characters. */
export const minPasswordLength = 8
