export const sendNameMaxChars = 120
/** With this many recipients or more, a person types their number before the send starts. */
export const confirmByNumberFrom = 100
export const bulkSendsPerPage = 30
export const recipientsPerPage = 50
/** Per page of a downloaded report. */
export const recipientsPerReport = 500
/** Recipients of one send, omitted ones included. */
export const maxRecipients = 100_000
/** Numbers that a program may list in one call. */
export const maxPhones = 20_000
export const previewsShown = 5
/** People whom a count that follows each change of an audience looks at. */
export const countedAtMost = 20_000
/** A send may be scheduled this many days ahead. */
export const maxScheduledDays = 365
/** Pasted numbers or a file, in characters. */
export const audienceMaxChars = 8_000_000
/** Rows of a file that are named per group of omitted recipients. */
export const rowsNamed = 50
