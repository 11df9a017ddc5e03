import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { authErrors } from '../errors.ts'

/** Hashes passwords like better-auth: scrypt (16 MB and about 50 ms each) on worker threads. */
export interface PasswordHashing {
  /** @throws AUTH_TOO_MANY_REQUESTS if too many are waiting */
  hash(password: string): Promise<string>
  /**
   * Compares a password with `stored`. With null it does the same work and returns false, so that the time does not
   * reveal whether the person exists or has a password.
   * @throws AUTH_TOO_MANY_REQUESTS if too many are waiting
   */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** Half of libuv's four threads: files and DNS lookups need the others. */
const maxConcurrent = 2
/** About five seconds of waiting. Further calls are refused. */
const maxWaiting = 200
/** Matches no password, but costs the same work. */
const unmatchableHash = `${'0'.repeat(32)}:${'0'.repeat(128)}`

export function createPasswordHashing(): PasswordHashing {
  const waiting: (() => void)[] = []
  let working = 0

  const withSlot = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= maxWaiting) throw authErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: 10 })
    if (working >= maxConcurrent) await new Promise<void>(resolve => waiting.push(resolve))
    else working += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else working -= 1
    }
  }

  return {
    hash: password => withSlot(() => hashPassword(password)),
    verify: (password, stored) =>
      withSlot(async () => (await verifyPassword({ hash: stored ?? unmatchableHash, password })) && stored !== null),
  }
}
