/**
 * The one place for what differs between engines. SQLite has one writer: whoever claims sees nobody else's half-done
 * claim. PostgreSQL has many: there `skipTaken` is `for update skip locked`, so that two processes never wait for, or
 * take, the same row, and `hold` is `for update`.
 */
export const skipTaken = ''
export const hold = ''
