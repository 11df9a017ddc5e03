import type { Kysely } from 'kysely'
import { isOnPostgres, runAll } from './schema.ts'

/** Renaming an organization keeps its former slug, which nobody else can take, in the same statement. */
export const createSlugRules = (db: Kysely<unknown>): Promise<void> =>
  runAll(db, isOnPostgres(db) ? postgresTriggers : sqliteTriggers)

const isAnothers = 'exists (select 1 from former_slug where slug = new.slug and org_id <> new.id)'
const isRenamed = 'new.slug <> old.slug and new.deleted_at is null'
const keep = `delete from former_slug where slug in (old.slug, new.slug);
    insert into former_slug (slug, org_id) values (old.slug, old.id);`

const sqliteTriggers = [
  `create trigger organization_slug_is_free before insert on organization when ${isAnothers}
   begin select raise(abort, 'SLUG_TAKEN'); end`,
  `create trigger organization_slug_stays_free before update of slug on organization when ${isAnothers}
   begin select raise(abort, 'SLUG_TAKEN'); end`,
  `create trigger organization_keeps_slug after update of slug on organization when ${isRenamed}
   begin ${keep} end`,
]

const postgresTriggers = [
  `create function organization_slug_is_free() returns trigger language plpgsql as $$ begin
     if ${isAnothers} then raise exception 'SLUG_TAKEN' using errcode = 'RC001'; end if;
     return new;
   end $$`,
  `create trigger organization_slug_is_free before insert on organization
   for each row execute function organization_slug_is_free()`,
  `create trigger organization_slug_stays_free before update of slug on organization
   for each row execute function organization_slug_is_free()`,
  `create function organization_keeps_slug() returns trigger language plpgsql as $$ begin
     if ${isRenamed} then ${keep} end if;
     return null;
   end $$`,
  `create trigger organization_keeps_slug after update of slug on organization
   for each row execute function organization_keeps_slug()`,
]
