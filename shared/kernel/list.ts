import { type Static, type TSchema, Type } from 'typebox'

/** The one shape of a page on the wire. `hasMore` says whether another page follows. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    page: Type.Integer({ minimum: 1 }),
    pageSize: Type.Integer({ minimum: 1 }),
    hasMore: Type.Boolean(),
  })

/**
 * A field of a reply that may be null. OpenAPI's `nullable` instead of a union: serializing a union would try its
 * branches one by one on a hot path. For what comes in, use a union.
 */
export const Nullable = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>({ ...schema, nullable: true })

/** ISO 8601 UTC, e.g. `2026-11-20T13:05:00.000Z`. */
export const Timestamp = Type.String({ description: 'ISO 8601 UTC', minLength: 20, maxLength: 30 })

export const PageNumber = Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })

/** It is done, and there is nothing to say of it. */
export const Done = Type.Object({ success: Type.Boolean() })
