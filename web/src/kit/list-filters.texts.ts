export const filterTexts = { period: 'Period', anyPeriod: 'Any period' }
