/** Attempts as a status sees them: the one it names, and that it has settled it, in the transaction of the status. */
export { type AttemptRow, findAttempts, settleAttempts } from './attempt-store.ts'
