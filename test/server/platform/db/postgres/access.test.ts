import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { createSessions } from '#server/identity/auth/sessions/session.ts'
import { createOrgs } from '#server/identity/orgs/service.ts'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { createAccessMemo } from '#server/platform/work/memo.ts'
import { type AMember, aMember, testPublicUrl, testSecret } from '#test/helpers/actors.ts'
import { keptLog } from '#test/helpers/log.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { migratedPostgres, openUrl } from '#test/helpers/postgres-db.ts'

/** Records the statements of a reading connection. */
const noting = (db: Db, statements: string[]): Db =>
  new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (typeof value !== 'function') return value
      if (name !== 'executeQuery') return value.bind(target)
      return (query: { sql: string }) => {
        statements.push(query.sql)
        return value.call(target, query)
      }
    },
  })

/** A process that changes data, and one that caches callers. */
const aPair = async (t: Test) => {
  const server = await postgresServer()
  const url = server.urlOf(await server.createDatabase(await migratedPostgres()))
  const [one, other] = [openUrl(url), openUrl(url)]
  t.teardown(() => Promise.all([one.close(), other.close()]))
  const statements: string[] = []
  const databases: Databases = {
    write: other.write,
    journal: other.journal,
    read: noting(other.read, statements),
    version: other.version,
    accessOf: other.accessOf,
    signals: other.signals,
    turn: other.turn,
    get raw() {
      return other.raw
    },
    close: other.close,
  }
  const memo = createAccessMemo(databases)
  const sessions = createSessions({
    config: { publicUrl: testPublicUrl },
    databases,
    clock: systemClock,
    log: keptLog(),
    secret: testSecret,
    memo,
  })
  const orgs = createOrgs({ databases, scopes: createScopes({ databases }), memo })
  const ask = async ({ cookie, org }: AMember) => {
    const person = await sessions.personOf({ cookie }, 'es', other.version)
    return person && ((await orgs.memberOf(person, org.slug, other.version)) ?? 'stranger')
  }
  return { one, other, ask, statements }
}

const settingsOf = (orgId: string) => ({ org_id: orgId, second_factor_required: 1, updated_at: 'z' })

/** A commit in one process, and what the other must know at the next request. */
const changes: Record<string, [change: (db: Db, who: AMember) => Promise<unknown>, then: unknown]> = {
  'a session ends': [(db, { user }) => db.deleteFrom('session').where('userId', '=', user.id).execute(), null],
  'somebody is banned': [
    (db, { user }) => db.updateTable('user').set({ banned: 1 }).where('id', '=', user.id).execute(),
    null,
  ],
  'somebody is renamed': [
    (db, { user }) => db.updateTable('user').set({ name: 'Otra' }).where('id', '=', user.id).execute(),
    { name: 'Otra' },
  ],
  'a member gets another role': [
    (db, { user }) => db.updateTable('member').set({ role: 'viewer' }).where('userId', '=', user.id).execute(),
    { role: 'viewer' },
  ],
  'a member leaves': [(db, { user }) => db.deleteFrom('member').where('userId', '=', user.id).execute(), 'stranger'],
  'an organization is renamed': [
    (db, { org }) => db.updateTable('organization').set({ name: 'Otra' }).where('id', '=', org.id).execute(),
    { orgName: 'Otra' },
  ],
  'an organization moves': [
    (db, { org }) =>
      db
        .updateTable('organization')
        .set({ slug: `${org.slug}-2` })
        .where('id', '=', org.id)
        .execute(),
    { orgName: /./ },
  ],
  'a second factor is demanded': [
    (db, { org }) => db.insertInto('org_settings').values(settingsOf(org.id)).execute(),
    { secondFactorDemanded: true },
  ],
  'single sign-on is demanded': [
    (db, { org }) =>
      db.insertInto('sso_demand').values({ org_id: org.id, exempt_user_id: null, created_at: 'z' }).execute(),
    { ssoMissing: true },
  ],
  'conversations are limited': [
    (db, { org }) =>
      db
        .insertInto('content_access_setting')
        .values({ org_id: org.id, conversations: 1, teams: 0, updated_at: 'z' })
        .execute(),
    { scope: { kind: 'limited', tagIds: [] } },
  ],
}

t.test('a change of access in one process applies to the next request at another', async t => {
  const { one, ask, statements } = await aPair(t)
  for (const [title, [change, then]] of Object.entries(changes)) {
    await aMember({ databases: one })
    const who = await aMember({ databases: one, role: 'developer' })
    await ask(who)
    t.match(await ask(who), { role: 'developer' }, title)
    const asked = statements.length
    await ask(who)
    t.equal(statements.length, asked, `${title}: until then nobody is looked up`)
    await change(one.write, who)
    const after = await ask(who)
    if (typeof then === 'object' && then) t.match(after, then, title)
    else t.equal(after, then, title)
  }
})

t.test('a person who was unknown to a process can use a new session there at once', async t => {
  const { one, ask } = await aPair(t)
  const [who, { org }] = [await aMember({ databases: one }), await aMember({ databases: one })]
  const there = { ...who, org }
  t.equal(await ask(there), 'stranger')
  const row = await one.read
    .selectFrom('member')
    .selectAll()
    .where('userId', '=', who.user.id)
    .executeTakeFirstOrThrow()
  await one.write
    .insertInto('member')
    .values({ ...row, id: `${row.id}2`, organizationId: org.id })
    .execute()
  t.match(await ask(there), { orgId: org.id })
})

t.test('other commits and rollbacks do not change the access version', async t => {
  const { one, other, ask } = await aPair(t)
  const who = await aMember({ databases: one })
  await ask(who)
  const access = async () => other.accessOf(await other.version())
  const before = await access()
  t.ok(before)
  await one.write.insertInto('sign_in_budget').values({ key: 'k', used: 1, window_ends_at: 'z' }).execute()
  t.equal(await access(), before)
  const undone = one.write.transaction().execute(async trx => {
    await trx.updateTable('user').set({ name: 'Nadie' }).execute()
    throw new Error('undone')
  })
  await t.rejects(undone, 'undone')
  t.equal(await access(), before)
})

t.test('two transactions that change each other’s rows do not deadlock', async t => {
  const { one, other } = await aPair(t)
  const who = await aMember({ databases: one })
  const sessions = (db: Db) =>
    db.updateTable('session').set({ updatedAt: new Date().toISOString() }).where('userId', '=', who.user.id).execute()
  let beside: Promise<unknown> | undefined
  const both = one.write.transaction().execute(async trx => {
    await trx.updateTable('user').set({ name: 'Otra' }).where('id', '=', who.user.id).execute()
    beside = sessions(other.write)
    await new Promise(resolve => setTimeout(resolve, 100))
    await sessions(trx as unknown as Db)
  })
  // Outside the transaction: if it comes second, it waits for the transaction's end.
  await t.resolves(both.then(() => beside).then(() => undefined))
})

t.test('every table about access changes the access version', async t => {
  const { one, ask, statements } = await aPair(t)
  const who = await aMember({ databases: one, role: 'developer' })
  await changes['conversations are limited']?.[0](one.write, who)
  await ask(who)
  await ask({ ...who, org: { ...who.org, slug: 'nowhere' } })
  const read = new Set(statements.flatMap(text => [...text.matchAll(/(?:from|join) "(\w+)"/g)].map(([, name]) => name)))
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_trigger as t
    join pg_class as c on c.oid = t.tgrelid where t.tgname = 'access_changes'`.execute(one.read)
  t.same([...read].filter(name => name !== 'access_change').sort(), rows.map(({ name }) => name).sort())
})
