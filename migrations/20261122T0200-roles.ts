import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Every stored role becomes exactly one word, and the database itself keeps an owner in each organization and somebody
 * who administers the site: two people who act at once pass each other's look, whichever call they make.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  const orgRoles = ['owner', 'admin', 'member', 'developer', 'viewer', 'billing']
  await reduce(db, 'member', orgRoles, 'viewer')
  await reduce(db, 'invitation', orgRoles, 'viewer')
  await reduce(db, 'user', ['admin', 'user'], 'user')
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of isPostgres ? postgresTriggers : sqliteTriggers) await sql.raw(statement).execute(db)
}

/** Parts of a list count as better-auth compares them, letter by letter: `admin, owner` was never an owner's. */
// biome-ignore lint/suspicious/noExplicitAny: as above
async function reduce(db: Kysely<any>, table: string, roles: readonly string[], otherwise: string): Promise<void> {
  const rows = await db.selectFrom(table).select(['id', 'role']).where('role', 'not in', roles).execute()
  for (const { id, role } of rows) {
    const parts = String(role).split(',')
    await db
      .updateTable(table)
      .set({ role: roles.find(one => parts.includes(one)) ?? otherwise })
      .where('id', '=', id)
      .execute()
  }
}

/** Conditions in plain SQL over the row as it was (`old`) and will be (`new`); another engine wraps the same ones. */
const rules = {
  lostOwner: `old.role = 'owner' and not exists (
    select 1 from member other join "user" person on person.id = other."userId"
    where other."organizationId" = old."organizationId" and other.id <> old.id
      and other.role = 'owner' and coalesce(person.banned, 0) = 0)`,
  // One that is being deleted loses its members.
  organizationStays: `exists (select 1 from organization where id = old."organizationId" and deleted_at is null)`,
  lostSiteAdmin: `old.role = 'admin' and coalesce(old.banned, 0) = 0 and not exists (
    select 1 from "user" other where other.id <> old.id and other.role = 'admin' and coalesce(other.banned, 0) = 0)`,
}

const sqliteTriggers = [
  `create trigger member_keeps_owner before update of role on member
   when new.role <> 'owner' and ${rules.lostOwner}
   begin select raise(abort, 'LAST_OWNER'); end`,
  `create trigger member_keeps_owner_on_delete before delete on member
   when ${rules.organizationStays} and ${rules.lostOwner}
   begin select raise(abort, 'LAST_OWNER'); end`,
  `create trigger user_keeps_site_admin before update of role, banned on "user"
   when (coalesce(new.role, 'user') <> 'admin' or coalesce(new.banned, 0) <> 0) and ${rules.lostSiteAdmin}
   begin select raise(abort, 'LAST_SITE_ADMIN'); end`,
  `create trigger user_keeps_site_admin_on_delete before delete on "user"
   when ${rules.lostSiteAdmin}
   begin select raise(abort, 'LAST_SITE_ADMIN'); end`,
]

/** `RC001`: a rule of ours, its name in the message. The lock comes before the look: who demotes at once waits here. */
const postgresTrigger = (name: string, event: string, lock: string, condition: string, rule: string, row: string) => [
  `create function ${name}() returns trigger language plpgsql as $$ begin
     ${lock};
     if ${condition} then raise exception '${rule}' using errcode = 'RC001'; end if;
     return ${row};
   end $$`,
  `create trigger ${name} before ${event} for each row execute function ${name}()`,
]
const lockOrganization = `perform 1 from organization where id = old."organizationId" for no key update`
const lockAdministrators = `perform pg_advisory_xact_lock(hashtext('LAST_SITE_ADMIN'))`

const postgresTriggers = [
  ...postgresTrigger(
    'member_keeps_owner',
    'update of role on member',
    lockOrganization,
    `new.role <> 'owner' and ${rules.lostOwner}`,
    'LAST_OWNER',
    'new',
  ),
  ...postgresTrigger(
    'member_keeps_owner_on_delete',
    'delete on member',
    lockOrganization,
    `${rules.organizationStays} and ${rules.lostOwner}`,
    'LAST_OWNER',
    'old',
  ),
  ...postgresTrigger(
    'user_keeps_site_admin',
    'update of role, banned on "user"',
    lockAdministrators,
    `(coalesce(new.role, 'user') <> 'admin' or coalesce(new.banned, 0) <> 0) and ${rules.lostSiteAdmin}`,
    'LAST_SITE_ADMIN',
    'new',
  ),
  ...postgresTrigger(
    'user_keeps_site_admin_on_delete',
    'delete on "user"',
    lockAdministrators,
    rules.lostSiteAdmin,
    'LAST_SITE_ADMIN',
    'old',
  ),
]
