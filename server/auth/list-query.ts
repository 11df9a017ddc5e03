import { Type } from 'typebox'
import { type ReadPart, readerOf } from '../validate.ts'
import type { Door } from './doors.ts'

const longestList = 1000

/** The library hands the name of any column to the database; the rest of the query it checks itself. */
const readerFor = (columns: readonly string[]): ReadPart => {
  const Column = Type.Optional(Type.Enum([...columns]))
  return readerOf(
    'query',
    Type.Object(
      {
        sortBy: Column,
        filterField: Column,
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: longestList })),
        offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      },
      { additionalProperties: Type.String({ maxLength: 512 }) },
    ),
  )
}

const readers: { readonly [D in Door]?: ReadPart } = {
  '/organization/list-members': readerFor(['id', 'userId', 'role', 'createdAt']),
  '/admin/list-users': readerFor(['id', 'name', 'email', 'role', 'banned', 'createdAt', 'updatedAt']),
}
const readAny = readerOf('query', Type.Object({}, { additionalProperties: Type.String({ maxLength: 512 }) }))

/** @throws InvalidInput naming the field; a name that comes twice counts as its last value, as in the library. */
export const checkQuery = (door: Door, search: URLSearchParams): void => {
  ;(readers[door] ?? readAny)(Object.fromEntries(search))
}
