/** Limits and times the whole app shares. A room's own limits stand in its contract. */
/** Ten times the longest text in its longest spelling; an endpoint that takes more says so. */
export const bodyLimitBytes = 256 * 1024
/** Values in one body: what is refused must be cheap to refuse. */
export const bodyLimitValues = 5000
/** The same for who is not signed in: forms of a few fields. */
export const anonymousLimitValues = 200
/** Meta: a webhook is at most 3 MB. */
export const webhookLimitBytes = 3 * 1024 * 1024
export const conversationsPerPage = 30
export const messagesPerPage = 50
export const maxPageSize = 100
export const textMaxChars = 4096
export const customerWindowMs = 24 * 60 * 60 * 1000
/** A window is about to close so long before it does. */
export const windowClosingMs = 2 * 60 * 60 * 1000
/** Who has a chat is told so long before its window closes on a customer without an answer. */
export const windowNoticeMs = 60 * 60 * 1000
/** The composer locks this long before Meta's clock would refuse; clocks differ and requests take time. */
export const windowSafetyMs = 60 * 1000
export const idempotencyHours = 24
export const humanToastMs = 120_000
export const toastMs = 5_000
/** Notifications, whose toasts are as the library has them. */
export const noticeToastMs = 4_000
export const maxToasts = 3

/** Of a private note. */
export const noteMaxChars = 4000
/** More people are not called to one note. */
export const maxMentions = 20
