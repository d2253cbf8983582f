/** Milliseconds that a simulated call takes (specification, section 4). */
const registerDelayMs = 1500
const resetDelayMs = 1000

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** Simulates a registration, the default of an installation: it waits and calls no server. */
export const simulateRegister = (): Promise<void> => wait(registerDelayMs)

/** Simulates a password reset, the default of an installation: it waits and calls no server. */
export const simulateReset = (): Promise<void> => wait(resetDelayMs)
