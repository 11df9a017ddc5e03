const largeBytes = 64 * 1024 ** 3
/** A whole file: a chat as WhatsApp exports it with its media; an archive or a dump with all its files. */
export const importMaxBytes = {
  whatsapp: 4 * 1024 ** 3,
  recado: largeBytes,
  chatwoot: largeBytes,
  whaticket: largeBytes,
} as const
/** One piece of a file. */
export const importPieceMaxBytes = 64 * 1024 ** 2
/**
 * Bytes that a piece of a file of `total` bytes has at least, except the last one. Each piece is a row and a file, and so
 * there are 16,384 of them at most.
 */
export const leastPieceBytes = (total: number): number => Math.min(4 * 1024 ** 2, Math.ceil(total / 1_000))
export const importsListed = 50
/** Imports that are not begun are deleted after this time, with their files. */
export const importKeptDays = 7
export const importUndoDays = 30
/** Lines that cannot be taken and are listed. */
export const refusedListed = 500
/** Chats that a report lists at once. */
export const importChatsListed = 100
/** Messages of a preview. */
export const sampleMessages = 8
/** The most numbers, people and tags that a person maps by hand. Further ones are mapped as suggested. */
export const mappedAtMost = { accounts: 50, numbers: 50, agents: 300, tags: 500 } as const
/** Names in a chat that are listed. */
export const namesListed = 50
