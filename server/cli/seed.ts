/**
 * `npm run seed -- --conversations N --messages N`: realistic volume in DATA_DIR, for benchmarks and for trying things
 * out. Goes into the organization named with `--org`, else the first one, else a new one.
 */

import { indexSlice } from '#server/messaging/search/indexing.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { Refusal, readArguments, runProgram } from './screen.ts'
import { seedPostgres } from './seed-postgres.ts'
import { seedVolume } from './seed-volume.ts'
import { openToFill } from './transfer.ts'

export interface SeedOrg {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** The owner's address, if the organization was created now. */
  readonly email?: string
}

const sample = {
  name: 'Panadería Don Luis',
  slug: 'panaderia-don-luis',
  owner: 'Luis Ferrari',
  email: 'luis@example.com',
}

/** The first organization, or a new one with an owner who signs in with a code like everybody. */
export async function getOrCreateOrg(databases: Databases, slug?: string): Promise<SeedOrg> {
  const query = databases.read.selectFrom('organization').select(['id', 'slug', 'name']).orderBy('createdAt').limit(1)
  const found = await (slug ? query.where('slug', '=', slug) : query).executeTakeFirst()
  if (found) return found
  if (slug) throw new Refusal(`There is no organization "${slug}"`)
  const at = systemClock.now().toISOString()
  const [id, userId] = [newId(), newId()]
  await inTransaction(databases, async trx => {
    const owner = {
      id: userId,
      name: sample.owner,
      email: sample.email,
      emailVerified: 1,
      createdAt: at,
      updatedAt: at,
      role: 'user',
    }
    await trx
      .insertInto('user')
      .values({ ...owner, image: null, banned: 0, banReason: null, banExpires: null })
      .execute()
    const org = { id, name: sample.name, slug: sample.slug, createdAt: at, logo: null, metadata: null }
    await trx.insertInto('organization').values(org).execute()
    await trx
      .insertInto('member')
      .values({ id: newId(), organizationId: id, userId, role: 'owner', createdAt: at })
      .execute()
  })
  return { id, slug: sample.slug, name: sample.name, email: sample.email }
}

const count = (text: string | undefined, name: string, fallback: number): number => {
  const value = Number(text ?? fallback)
  if (Number.isInteger(value) && value > 0) return value
  throw new Refusal(`--${name} ${text}: use a whole number above 0`)
}

const openFor = async (config: Config): Promise<Databases> => {
  if (config.postgres) return openToFill(config.postgres, config.databaseName)
  const databases = openDatabase(config.databasePath)
  // The volume is written without the driver, so SQLite itself has to wait for locks.
  databases.raw.write.pragma('busy_timeout = 5000')
  return databases
}

if (process.argv[1] === import.meta.filename)
  await runProgram(async () => {
    const { named, rest } = readArguments()
    const unknown = [...named.keys()].filter(name => !['conversations', 'messages', 'org', 'seed'].includes(name))
    if (rest.length || unknown.length)
      throw new Refusal('Usage: npm run seed -- --conversations N --messages N [--org SLUG] [--seed N]')
    const conversations = count(named.get('conversations'), 'conversations', 1000)
    const messages = count(named.get('messages'), 'messages', conversations * 50)
    const seed = count(named.get('seed'), 'seed', 1)
    const config = readConfig(process.env)
    const databases = await openFor(config)
    try {
      await migrate(databases.write)
      const org = await getOrCreateOrg(databases, named.get('org'))
      const start = performance.now()
      const fill = config.postgres ? seedPostgres : seedVolume
      const filled = await fill(databases, { orgId: org.id, conversations, messages, seed }, { clock: systemClock })
      while (await indexSlice(databases));
      const seconds = (performance.now() - start) / 1000
      const pace = Math.round(filled.messages / seconds).toLocaleString('en')
      console.log(
        `${filled.conversations} conversations, ${filled.messages} messages in ${seconds.toFixed(1)} s (${pace} a second)`,
      )
      console.log(`Organization: ${org.name} at /org/${org.slug}`)
      if (org.email) console.log(`Sign in as:   ${org.email}`)
    } finally {
      await databases.close()
    }
  })
