const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Isolates a right-to-left text inside a sentence, so that an Arabic or Hebrew name does not reorder what is beside it.
 * @see Unicode, UAX #9 "Bidirectional Algorithm": first strong isolate
 */
export const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)
