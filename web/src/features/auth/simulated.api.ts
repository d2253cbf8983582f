/** Milliseconds that the simulated calls take (specification, section 4). */
const registerDelay = 1500
const resetDelay = 1000

const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** Registration as an installation has it by default: it takes its time and calls no server. */
export const simulateRegister = (): Promise<void> => after(registerDelay)

/** The password reset as an installation has it by default: it takes its time and calls no server. */
export const simulateReset = (): Promise<void> => after(resetDelay)
