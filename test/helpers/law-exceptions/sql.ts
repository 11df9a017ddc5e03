import type { FileException } from './exception.ts'

/* Files other than stores that contain SQL, and files with SQL of one engine outside its folder. */

export const sql: readonly FileException[] = [
  { where: ['server/platform/db/bulk.ts'], why: 'builds statements that write many rows' },
  { where: ['server/platform/db/migrate.ts'], why: 'runs the migrations' },
  { where: ['server/platform/db/postgres/examine.ts'], why: 'checks a PostgreSQL server before it is used' },
  {
    where: ['server/platform/db/sqlite/row-address.ts', 'server/platform/db/postgres/row-address.ts'],
    why: 'one keyword of the engine, used in statements of stores',
  },
  {
    where: ['server/platform/db/sqlite/sought-by.ts', 'server/platform/db/postgres/sought-by.ts'],
    why: 'an index hint, used in statements of stores',
  },
  { where: ['server/platform/db/db.ts'], why: 'savepoints, so that a part of a transaction can fail alone' },
  {
    where: ['server/identity/visibility/condition.ts', 'server/identity/auth/sso/demand-condition.ts'],
    why: 'a condition that stores include in their statements',
  },
  { where: ['server/identity/auth/sign-in/budget.ts'], why: 'checks and uses up a budget in one statement' },
  {
    where: ['server/identity/numbers/listed-kind.ts'],
    why: 'a condition that three areas include in their queries, which saves each a query for the numbers',
  },
]

export const sqlite: readonly FileException[] = [
  { where: ['server/platform/db/db.ts'], why: 'the type of the raw connections' },
]

export const postgres: readonly FileException[] = []
