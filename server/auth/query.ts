import { Type } from 'typebox'
import { type ReadPart, readerOf } from '../validate.ts'
import type { AllowedPath } from './allowed-routes.ts'

const longestList = 1000
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: longestList }))
const other = { additionalProperties: Type.String({ maxLength: 512 }) }

/** The library hands the name of any column to the database; the rest of the query it checks itself. */
const readerFor = (columns: readonly string[]): ReadPart => {
  const Column = Type.Optional(Type.Enum([...columns]))
  return readerOf(
    'query',
    Type.Object(
      {
        sortBy: Column,
        filterField: Column,
        limit: Limit,
        offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      },
      other,
    ),
  )
}

const readers: { readonly [P in AllowedPath]?: ReadPart } = {
  '/organization/list-members': readerFor(['id', 'userId', 'role', 'createdAt']),
  '/organization/get-full-organization': readerOf('query', Type.Object({ membersLimit: Limit }, other)),
  '/admin/list-users': readerFor(['id', 'name', 'email', 'role', 'banned', 'createdAt', 'updatedAt']),
}
const readAny = readerOf('query', Type.Object({}, other))

/** @throws InvalidInput naming the field; a name that comes twice counts as its last value, as in the library. */
export const checkQuery = (path: AllowedPath, search: URLSearchParams): void => {
  ;(readers[path] ?? readAny)(Object.fromEntries(search))
}
