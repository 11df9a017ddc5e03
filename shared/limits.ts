/** Limits and times the whole app shares. A room's own limits stand in its contract. */
export const bodyLimitBytes = 1024 * 1024
/** Meta: a webhook is at most 3 MB. */
export const webhookLimitBytes = 3 * 1024 * 1024
export const conversationsPerPage = 30
export const messagesPerPage = 50
export const maxPageSize = 100
export const textMaxChars = 4096
export const customerWindowMs = 24 * 60 * 60 * 1000
/** The composer locks this long before Meta's clock would refuse; clocks differ and requests take time. */
export const windowSafetyMs = 60 * 1000
export const idempotencyHours = 24
export const humanToastMs = 120_000
export const toastMs = 5_000
/** Notifications, whose toasts are as the library has them. */
export const noticeToastMs = 4_000
export const maxToasts = 3
