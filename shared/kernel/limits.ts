/** Limits and times that the whole app shares. Those of a feature are in its contract. */
/** Ten times the longest text in its longest encoding; an endpoint that accepts more declares it. */
export const bodyLimitBytes = 256 * 1024
/** Values in one body, so that refusing it stays cheap. */
export const bodyLimitValues = 5000
/** The same limit for anonymous callers, whose forms have few fields. */
export const anonymousLimitValues = 200
/** Meta: a webhook is at most 3 MB. */
export const webhookLimitBytes = 3 * 1024 * 1024
export const conversationsPerPage = 30
export const messagesPerPage = 50
export const maxPageSize = 100
export const textMaxChars = 4096
export const customerWindowMs = 24 * 60 * 60 * 1000
/** A window counts as closing this long before its end. Members are notified then. */
export const windowClosingMs = 2 * 60 * 60 * 1000
/** The composer locks this long before Meta would refuse, because clocks differ and requests take time. */
export const windowSafetyMs = 60 * 1000
export const idempotencyHours = 24
export const humanToastMs = 120_000
export const toastMs = 5_000
/** Toasts of notifications. */
export const noticeToastMs = 4_000
export const maxToasts = 3

/** The length of a private note. */
export const noteMaxChars = 4000
/** Members that one note may mention. */
export const maxMentions = 20
