import { Type } from 'typebox'
import { keyNameMax, keyNetworksMax, keySecondsMax, keySecondsMin } from '#shared/auth/api-keys.ts'
import { passwordMax } from '#shared/auth/password-rules.ts'
import { proof } from '#shared/auth/passwords.ts'
import { trustedDays } from '#shared/auth/second-factor.ts'
import { ssoEndpointFields, ssoIdPattern, ssoRoles, tokenAuthentications } from '#shared/auth/sso.ts'
import { givenCapabilities } from '#shared/kernel/permissions.ts'

const email = Type.String({ minLength: 3, maxLength: 254 })
const strict = { additionalProperties: false } as const

export const SendCode = Type.Object({ email, type: Type.Literal('sign-in') }, strict)

export const SignIn = Type.Object(
  { email, otp: Type.String({ minLength: 1, maxLength: 20 }), name: Type.Optional(Type.String({ maxLength: 80 })) },
  strict,
)

/** An unknown name is refused like a wrong password. */
export const SignInWithPassword = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: passwordMax }),
  },
  strict,
)

/** `callbackURL` is accepted because better-auth's clients send it, and ignored. */
export const DeleteUser = Type.Object(
  {
    token: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    callbackURL: Type.Optional(Type.String({ maxLength: 2048 })),
  },
  strict,
)

const secondCode = Type.String({ minLength: 1, maxLength: 40 })

export const VerifySecondStep = Type.Object(
  {
    code: secondCode,
    trustDevice: Type.Optional(
      Type.Boolean({ description: `This browser is not asked for a second factor for ${trustedDays} days.` }),
    ),
  },
  strict,
)

export const EnableSecondFactor = Type.Object(
  {
    ...proof,
    secondCode: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'A code of the current app, or a backup code, as proof before replacing it.',
      }),
    ),
  },
  strict,
)

export const ProveSecondFactor = Type.Object({ secondCode }, strict)

const password = Type.String({ minLength: 1, maxLength: passwordMax })
const userId = Type.String({ minLength: 1, maxLength: 100 })

/** A site administrator creates a person with a password. */
export const CreateUser = Type.Object({ email, name: Type.String({ minLength: 1, maxLength: 80 }), password }, strict)
export const SetUserPassword = Type.Object({ userId, newPassword: password }, strict)
export const NameUser = Type.Object({ userId }, strict)
/** The `token` of the session list, which is really an id. */
export const NameSession = Type.Object({ sessionToken: Type.String({ minLength: 1, maxLength: 100 }) }, strict)

export const Nothing = Type.Object({}, strict)

const AnyValue = Type.Optional(Type.Unknown())

/** The only fields that may be changed. The library drops others silently, and fails if none is left. */
export const UpdateOrganization = Type.Object(
  {
    data: Type.Object(
      { name: AnyValue, slug: AnyValue, logo: AnyValue, metadata: AnyValue },
      { additionalProperties: false, minProperties: 1 },
    ),
    organizationId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Default: the active organization of the session.' }),
    ),
  },
  { additionalProperties: true },
)

export const CreateApiKey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: keyNameMax }),
    expiresIn: Type.Optional(
      Type.Union([Type.Null(), Type.Integer({ minimum: keySecondsMin, maximum: keySecondsMax })], {
        description: 'Seconds from now; null or absent: the key does not expire.',
      }),
    ),
    scopes: Type.Optional(
      Type.Union([Type.Null(), Type.Array(Type.Enum([...givenCapabilities]), { minItems: 1, uniqueItems: true })], {
        description: 'Permissions of the key, at most those of its creator; null or absent: the same as the creator.',
      }),
    ),
    networks: Type.Optional(
      Type.Union(
        [
          Type.Null(),
          Type.Array(Type.String({ maxLength: 49 }), { minItems: 1, maxItems: keyNetworksMax, uniqueItems: true }),
        ],
        {
          description:
            'Addresses or ranges (`203.0.113.7`, `10.0.0.0/8`) from which the key may be used; null or absent: anywhere.',
        },
      ),
    ),
    metadata: Type.Optional(Type.Union([Type.Null(), Type.Object({}, { additionalProperties: true })])),
    organizationId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Default: the active organization of the session.' }),
    ),
    prefix: Type.Optional(Type.Unknown({ description: 'Accepted and ignored: every key has the same prefix.' })),
  },
  strict,
)

export const DeleteApiKey = Type.Object({ keyId: Type.String({ minLength: 1, maxLength: 100 }) }, strict)

const secret = Type.String({ minLength: 1, maxLength: 2048 })
const ssoAddress = Type.Optional(ssoEndpointFields.tokenEndpoint)
const ssoRole = Type.Optional(Type.Enum([...ssoRoles], { description: 'Role of new members; default: `member`.' }))
const ssoTeam = Type.Optional(
  Type.Union([Type.Null(), Type.String({ minLength: 1, maxLength: 100 })], { description: 'Team of new members.' }),
)
const claim = Type.Optional(Type.String({ pattern: '^[\\w.:/-]{1,64}$' }))
const ssoId = Type.String({ pattern: ssoIdPattern })

export const RegisterSsoProvider = Type.Object(
  {
    providerId: ssoId,
    domain: Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'The part after the @ in the addresses of its users.',
    }),
    clientId: Type.String({ minLength: 1, maxLength: 512 }),
    clientSecret: secret,
    issuer: ssoAddress,
    authorizationEndpoint: ssoAddress,
    tokenEndpoint: ssoAddress,
    userInfoEndpoint: ssoAddress,
    jwksEndpoint: ssoAddress,
    tokenEndpointAuthentication: Type.Optional(Type.Enum(tokenAuthentications)),
    mapping: Type.Optional(
      Type.Object(
        {
          id: Type.Optional(
            Type.String({ maxLength: 64, description: 'Accepted and ignored: users are identified by `sub`.' }),
          ),
          email: claim,
          name: claim,
        },
        strict,
      ),
    ),
    organizationId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Default: the active organization of the session.' }),
    ),
    role: ssoRole,
    teamId: ssoTeam,
  },
  strict,
)

export const ChangeSsoProvider = Type.Object(
  {
    providerId: ssoId,
    status: Type.Optional(Type.Enum(['active', 'inactive'])),
    clientId: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    clientSecret: Type.Optional(secret),
    role: ssoRole,
    teamId: ssoTeam,
  },
  strict,
)

export const NameSsoProvider = Type.Object({ providerId: ssoId }, strict)

export const VerifySsoDomain = Type.Object(
  {
    providerId: ssoId,
    code: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Absent: the DNS record is checked.' }),
    ),
  },
  strict,
)

/** One of the first four names the provider. */
export const SignInBySso = Type.Object(
  {
    email: Type.Optional(email),
    domain: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
    providerId: Type.Optional(ssoId),
    organizationSlug: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    callbackURL: Type.Optional(Type.String({ maxLength: 2048, description: 'Path to redirect to, inside this site.' })),
  },
  strict,
)
