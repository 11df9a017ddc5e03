/** The functions with which a status finds and settles attempts, in its transaction. */
export { type AttemptRow, findAttempts, settleAttempts } from './attempt-store.ts'
