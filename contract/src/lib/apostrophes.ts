/** What people type for the apostrophe of Uzbek letters (oʻ, gʻ, ʼ) besides the one of keyboards. */
export const otherApostrophes = '`´ʻʼ‘’'

/** Matches each kind of apostrophe. */
export const apostrophe = new RegExp(`['${otherApostrophes}]`, 'g')

/** Replaces each kind of apostrophe by the one of keyboards, so that texts can be compared. */
export const normalizeApostrophes = (text: string): string => text.replaceAll(apostrophe, "'")
