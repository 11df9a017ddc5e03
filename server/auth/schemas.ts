import { Type } from 'typebox'

const email = Type.String({ minLength: 3, maxLength: 254 })
const strict = { additionalProperties: false } as const

export const SendCode = Type.Object({ email, type: Type.Literal('sign-in') }, strict)

export const SignIn = Type.Object(
  { email, otp: Type.String({ minLength: 1, maxLength: 20 }), name: Type.Optional(Type.String({ maxLength: 80 })) },
  strict,
)

/** `callbackURL` is what the library's own page wants; ours knows where to go. */
export const DeleteUser = Type.Object(
  {
    token: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    callbackURL: Type.Optional(Type.String({ maxLength: 2048 })),
  },
  strict,
)

const AnyValue = Type.Optional(Type.Unknown())

/** The fields an organization's people may change: the library drops others without a word, and fails when none is left. */
export const UpdateOrganization = Type.Object(
  {
    data: Type.Object(
      { name: AnyValue, slug: AnyValue, logo: AnyValue, metadata: AnyValue },
      { additionalProperties: false, minProperties: 1 },
    ),
  },
  { additionalProperties: true },
)
