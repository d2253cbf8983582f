/** A lead whose word stands for no status yet. */
export const unmappedState = 'Unmapped'
