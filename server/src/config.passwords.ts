/** Memory in KiB, passes over it, and lanes. */
export interface PasswordCost {
  memory: number
  passes: number
  parallelism: number
}

/** A recommendation of OWASP for argon2id: 19 MiB, two passes, one lane. */
export const passwordCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
