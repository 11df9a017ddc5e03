import Sqlite from 'better-sqlite3'
import { createKeyText, hashKeyText } from '#server/identity/auth/keys/api-key-text.ts'
import { createPasswordHashing } from '#server/identity/auth/passwords/password-hashing.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Installation } from './installation.ts'

const inDatabase = <T>(place: Installation, work: (db: Sqlite.Database, at: string) => T): T => {
  const db = new Sqlite(place.databasePath)
  try {
    return db.transaction(() => work(db, new Date().toISOString()))()
  } finally {
    db.close()
  }
}

/** A key of each person, of all that they may; more than an organization may have, as each has a budget of its own. */
export const giveKeys = (place: Installation): string[] =>
  inDatabase(place, (db, at) => {
    const insert = db.prepare(
      `insert into apikey (id, "configId", name, "referenceId", key, enabled, "createdAt", "updatedAt", member_id)
      select ?, 'default', 'bench', ?, ?, 1, ?, ?, id from member where "organizationId" = ? and "userId" = ?`,
    )
    const keys = place.userIds.map(userId => {
      const key = createKeyText()
      insert.run(newId(), place.org.id, hashKeyText(key), at, at, place.org.id, userId)
      return key
    })
    db.exec('analyze apikey')
    return keys
  })

/** Username of the i-th person. */
export const usernameOf = (i: number): string => `persona${i}`

/** A password for each person; the same, as hashing costs what a try costs. */
export const givePasswords = async (place: Installation, password: string): Promise<void> => {
  const hash = await createPasswordHashing().hash(password)
  inDatabase(place, (db, at) => {
    const name = db.prepare('update user set username = ? where id = ?')
    const account = db.prepare(
      `insert into account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
      values (?, ?, 'credential', ?, ?, ?, ?)`,
    )
    for (const [i, userId] of place.userIds.entries()) {
      name.run(usernameOf(i), userId)
      account.run(newId(), userId, userId, hash, at, at)
    }
    db.exec('analyze account; analyze user')
  })
}
