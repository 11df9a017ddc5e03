import { listRoutes, printRoutes } from '#server/cli/route-list.ts'
import { freshDatabases } from './db.ts'

/** A statement of SQLite's schema with one column or constraint a line, so that a diff shows what changed. */
const spread = (sql: string): string => {
  let depth = 0
  let inString = false
  let out = ''
  for (const char of sql) {
    if (char === "'") inString = !inString
    if (inString) {
      out += char
      continue
    }
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (char === '(' && depth === 1) out += '(\n  '
    else if (char === ')' && depth === 0) out += '\n)'
    else if (char === ',' && depth === 1) out += ',\n '
    else out += char
  }
  return out
}

/** The schema as all migrations leave it. */
const schemaMap = async (): Promise<string> => {
  const databases = await freshDatabases()
  const rows = databases.raw.read
    .prepare(
      `select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%' and name not like 'kysely_%'
       order by tbl_name, case type when 'table' then 0 else 1 end, name`,
    )
    .all() as { type: string; name: string; sql: string }[]
  await databases.close()
  return `${rows
    .map(({ type, sql }) => (type === 'table' ? `\n${spread(sql)};` : `${sql};`))
    .join('\n')
    .trimStart()}\n`
}

/** The maps of the house by file name below `test/snapshots`: what a reviewer reads to see what a change did. */
export const drawMaps = async (): Promise<Record<string, string>> => ({
  'api.txt': printRoutes(await listRoutes()),
  'schema.sql': await schemaMap(),
})
