/**
 * Where the laws of `laws.ts` do not apply, one file for each kind of law. These are exceptions to rules about the code,
 * not permissions of users (`shared/kernel/permissions.ts`).
 *
 * To add one: run `test/boundaries.test.ts`. It names the law, the file and the line. If the code cannot follow the law,
 * add an entry to the list of that law, for the narrowest file or function. `why` says what the code does and why the law
 * must not apply. An entry that no source needs any more fails the same test.
 */
import { client, upward } from './law-exceptions/imports.ts'
import { silentTables, silentWrites } from './law-exceptions/live-events.ts'
import { chance, network, time, timers } from './law-exceptions/outside.ts'
import { postgres, sql, sqlite } from './law-exceptions/sql.ts'
import { tables } from './law-exceptions/tables.ts'
import { vendorCodes, vendorWords } from './law-exceptions/vendor.ts'
import { seesAll, unscoped } from './law-exceptions/visibility.ts'

export const lawExceptions = {
  tables,
  sql,
  sqlite,
  postgres,
  upward,
  client,
  network,
  timers,
  chance,
  time,
  vendorCodes,
  vendorWords,
  unscoped,
  silentTables,
  silentWrites,
  seesAll,
} as const
