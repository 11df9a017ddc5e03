import { type Static, Type } from 'typebox'

/** The shape of every error; `message` is in the caller's language, `code` is for programs. */
export const WireError = Type.Object({
  statusCode: Type.Integer(),
  code: Type.String(),
  message: Type.String(),
  requestId: Type.String(),
  details: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.String({ description: 'Path of the field: `body.phone`, `query.page`.' }),
        code: Type.String(),
        message: Type.String(),
      }),
    ),
  ),
})
export type WireError = Static<typeof WireError>
