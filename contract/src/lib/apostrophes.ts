/** Matches each character that people type for the apostrophe of Uzbek letters (oʻ, gʻ, ʼ). */
export const apostrophe = /['`´ʻʼ‘’]/g

/** Replaces each kind of apostrophe by the one of keyboards, so that texts can be compared. */
export const normalizeApostrophes = (text: string): string => text.replaceAll(apostrophe, "'")
