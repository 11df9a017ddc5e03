import { Type } from 'typebox'
import { type ReadPart, readerOf } from '#server/platform/http/validate.ts'
import type { AllowedPath } from './allowed-routes.ts'

/** Text, as the library expects it: 1 to 1,000. */
const Limit = Type.Optional(Type.String({ pattern: '^(?:[1-9]\\d{0,2}|1000)$' }))
const Offset = Type.Optional(Type.String({ pattern: '^\\d{1,15}$' }))
const long = { additionalProperties: Type.String({ maxLength: 4096 }) }
const other = { additionalProperties: Type.String({ maxLength: 512 }) }

/**
 * The library passes any column name to the database, so these are limited here. It checks the rest of the query
 * itself.
 */
const readerFor = (columns: readonly string[]): ReadPart => {
  const Column = Type.Optional(Type.Enum([...columns]))
  return readerOf(
    'query',
    Type.Object(
      {
        sortBy: Column,
        filterField: Column,
        limit: Limit,
        offset: Offset,
      },
      other,
    ),
  )
}

const readers: { readonly [P in AllowedPath]?: ReadPart } = {
  '/organization/list-members': readerFor(['id', 'userId', 'role', 'createdAt']),
  '/organization/get-full-organization': readerOf('query', Type.Object({ membersLimit: Limit }, other)),
  // Providers add parameters of their own, and codes are long.
  '/sso/callback/:providerId': readerOf('query', Type.Object({}, long)),
  '/admin/list-users': readerFor(['id', 'name', 'email', 'role', 'banned', 'createdAt', 'updatedAt']),
}
const readAny = readerOf('query', Type.Object({}, other))

/**
 * Checks a query. If a name is repeated, the last value counts, as in the library. @throws InvalidInput naming the
 * field
 */
export const checkQuery = (path: AllowedPath, search: URLSearchParams): void => {
  ;(readers[path] ?? readAny)(Object.fromEntries(search))
}
