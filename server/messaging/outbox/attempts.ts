/** What handling a status needs of attempts, in that status's transaction. */
export { type AttemptRow, findAttempts, settleAttempts } from './attempt-store.ts'
