import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { authErrors } from './errors.ts'

/** Passwords as better-auth keeps them: scrypt (16 MB and some 50 ms each) on threads beside the event loop. */
export interface PasswordHashing {
  /** @throws AUTH_TOO_MANY_REQUESTS while too many wait. */
  hash(password: string): Promise<string>
  /**
   * Whether it is the password behind `stored`. With null it does the same work and answers false, so that nobody can
   * tell a person without a password, or nobody at all, by how long it takes.
   * @throws AUTH_TOO_MANY_REQUESTS while too many wait.
   */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** Half of the threads there are: files and name lookups need the others. */
const mostAtOnce = 2
/** Some five seconds of waiting; whoever comes then is refused. */
const mostWaiting = 200
/** A form that fits no password: the work is the same. */
const nobodys = `${'0'.repeat(32)}:${'0'.repeat(128)}`

export function createPasswordHashing(): PasswordHashing {
  const waiting: (() => void)[] = []
  let working = 0

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= mostWaiting) throw authErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: 10 })
    if (working >= mostAtOnce) await new Promise<void>(resolve => waiting.push(resolve))
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
    hash: password => inTurn(() => hashPassword(password)),
    verify: (password, stored) =>
      inTurn(async () => (await verifyPassword({ hash: stored ?? nobodys, password })) && stored !== null),
  }
}
