import type { Kysely } from 'kysely'
import { isOnPostgres, runAll } from './schema.ts'

/**
 * Every organization keeps an owner, and the site an administrator. The database itself refuses to lose the last one:
 * two requests at once would pass each other's check.
 */
export const createLastOwnerRules = (db: Kysely<unknown>): Promise<void> =>
  runAll(db, isOnPostgres(db) ? postgresTriggers : sqliteTriggers)

/** Conditions over the row before (`old`) and after (`new`) the change, for both engines. */
const rules = {
  lostOwner: `old.role = 'owner' and not exists (
    select 1 from member other join "user" person on person.id = other."userId"
    where other."organizationId" = old."organizationId" and other.id <> old.id
      and other.role = 'owner' and coalesce(person.banned, 0) = 0)`,
  // An organization that is being deleted loses its members.
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

/** Error code `RC001`: a rule of the product, named in the message. The lock comes first, so that concurrent changes wait. */
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
