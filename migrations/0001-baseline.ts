import type { Kysely } from 'kysely'
import { createAccessChanges } from './baseline/access-changes.ts'
import { createAccounts } from './baseline/accounts.ts'
import { createBulkSends } from './baseline/bulk-sends.ts'
import { createContacts } from './baseline/contacts.ts'
import { createConversations } from './baseline/conversations.ts'
import { createCounters } from './baseline/counters.ts'
import { createFlows } from './baseline/flows.ts'
import { createFoldedNames } from './baseline/folded-names.ts'
import { createSlugRules } from './baseline/former-slugs.ts'
import { createLastOwnerRules } from './baseline/last-owner.ts'
import { createMessages } from './baseline/messages.ts'
import { createNumbers } from './baseline/numbers.ts'
import { createOrganizations } from './baseline/organizations.ts'
import { createRecords } from './baseline/records.ts'
import { createSearch } from './baseline/search.ts'
import { createSignIn } from './baseline/sign-in.ts'
import { createSimulator } from './baseline/simulator.ts'
import { createTemplates } from './baseline/templates.ts'
import { createWork } from './baseline/work.ts'

/**
 * The schema of the first version, on either engine. Times are ISO 8601 UTC text, flags 0 or 1, documents JSON text.
 * Each table comes after those it refers to. Where the engines differ (search, triggers), the feature's file has both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db)
  await createOrganizations(db)
  await createSignIn(db)
  await createNumbers(db)
  await createContacts(db)
  await createConversations(db)
  await createMessages(db)
  await createTemplates(db)
  await createBulkSends(db)
  await createFlows(db)
  await createWork(db)
  await createRecords(db)
  await createSimulator(db)
  await createSearch(db)
  await createLastOwnerRules(db)
  await createSlugRules(db)
  await createFoldedNames(db)
  await createCounters(db)
  await createAccessChanges(db)
}
