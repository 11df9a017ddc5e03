const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * What somebody wrote, to stand within a sentence: an Arabic or Hebrew name does not turn around what is beside it.
 * @see Unicode, UAX #9 "Bidirectional Algorithm": first strong isolate
 */
export const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)
