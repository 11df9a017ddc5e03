import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Addresses that an organization had go on leading to it, and are nobody else's: the database keeps them in the statement
 * that changes the address. An organization that ends lets go of them.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('former_slug')
    .addColumn('slug', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('former_slug_org').on('former_slug').column('org_id').execute()
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of isPostgres ? postgresTriggers : sqliteTriggers) await sql.raw(statement).execute(db)
}

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
