/** Characters that a person's own choice of a password has at least. */
export const shortestPassword = 8
