import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'

export const backupCodeCount = 10
export const trustedDays = 30
/** Trusted browsers per person; beyond it the one used least recently is removed. */
export const maxTrustedDevices = 20

/** Ways to finish a sign-in: a code of an authenticator app, a mailed code, a backup code. */
const secondStepWays = ['app', 'mail', 'backup'] as const
export type SecondStepWay = (typeof secondStepWays)[number]

/** A browser that needs no second factor for a while. */
export const TrustedDevice = Type.Object({
  id: Type.String(),
  browser: Nullable(Type.String({ description: 'Read from its user agent; null: not recognized.' })),
  system: Nullable(Type.String()),
  address: Nullable(Type.String({ description: 'IP address it was trusted from.' })),
  trustedAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Type.String({ format: 'date-time' }),
})
export type TrustedDevice = Static<typeof TrustedDevice>

const SecondFactor = Type.Object({
  since: Nullable(Type.String({ format: 'date-time', description: 'Null: the caller has no second factor.' })),
  backupCodes: Type.Integer({ minimum: 0, description: 'Number of unused backup codes.' }),
  devices: Type.Array(TrustedDevice),
  demandedBy: Type.Array(Type.String(), { description: 'Names of the organizations that require it.' }),
})

const SecondStep = Type.Object({
  isMissing: Type.Boolean({ description: 'False: the caller is signed in.' }),
  ways: Type.Array(Type.Enum(secondStepWays), { description: 'The ways to complete the sign-in.' }),
  email: Type.String({ description: 'Masked address that codes are mailed to: `a…@example.com`.' }),
})

/** The calls that set no cookies. Those that do are at `/api/auth/two-factor/`. */
export const secondFactorApi = {
  getSecondFactor: endpoint({
    method: 'GET',
    path: '/account/second-factor',
    access: 'person',
    reply: SecondFactor,
    summary:
      'The second factor of the caller: since when, backup codes left, trusted devices, and the organizations that require it.',
  }),
  endTrust: endpoint({
    method: 'DELETE',
    path: '/account/trusted-devices/:id',
    access: 'person',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
    reply: Done,
    refuses: [404],
    summary: 'Stops trusting a browser: its next sign-in needs the second factor.',
  }),
  getSecondStep: endpoint({
    method: 'GET',
    path: '/account/second-step',
    access: 'person',
    finishes: 'secondFactor',
    reply: SecondStep,
    summary: 'Whether the sign-in of the caller still needs the second factor, and how it can be completed.',
  }),
} as const
