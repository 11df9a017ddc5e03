import { type Static, type TSchema, Type } from 'typebox'

/** The shape of a page. `hasMore`: another page follows. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    page: Type.Integer({ minimum: 1 }),
    pageSize: Type.Integer({ minimum: 1 }),
    hasMore: Type.Boolean(),
  })

/**
 * A field of a reply that may be null. Uses OpenAPI's `nullable` instead of a union, because serializing a union tries
 * its branches one by one. For input, use a union.
 */
export const Nullable = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>({ ...schema, nullable: true })

/** ISO 8601 UTC, e.g. `2026-11-20T13:05:00.000Z`. */
export const Timestamp = Type.String({ description: 'ISO 8601 UTC', minLength: 20, maxLength: 30 })

export const PageNumber = Type.Integer({ minimum: 1, maximum: 100_000, default: 1, description: 'From 1.' })

/** The reply of a call with no other result. */
export const Done = Type.Object({ success: Type.Boolean() })
