import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'
import type { Capability } from '#shared/kernel/permissions.ts'

/** The permissions that a program can ask for: those that the tools of MCP need, named as in API keys. */
export const programScopes = ['chat:read', 'note:write', 'stats:read', 'chat:reply'] as const satisfies Capability[]
export type ProgramScope = (typeof programScopes)[number]
/** Reaches customers: off until the person chooses it. */
export const sendingScope: ProgramScope = 'chat:reply'

/** Programs that one person connects to one organization. */
export const maxProgramsPerMember = 20
/** Programs of all members of an organization. */
export const maxProgramsPerOrg = 200
/** Programs of one person in all organizations, newest first. */
export const maxProgramsListed = 500
export const programNameMax = 80

const ProgramFacts = {
  name: Type.String({ description: 'The name that the program gives itself. It is not verified.' }),
  host: Type.String({ description: 'Where the program gets its access; `localhost` if it runs on the own computer.' }),
}
const Scopes = Type.Array(Type.Enum(programScopes), { maxItems: programScopes.length })

/** The query of an authorization request. @see RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2 */
const AuthorizationRequest = {
  clientId: Type.String({ minLength: 1, maxLength: 4096 }),
  redirectUri: Type.String({ minLength: 1, maxLength: 1000 }),
  responseType: Type.Optional(Type.String({ maxLength: 100 })),
  codeChallenge: Type.Optional(Type.String({ maxLength: 200 })),
  codeChallengeMethod: Type.Optional(Type.String({ maxLength: 20 })),
  scope: Type.Optional(Type.String({ maxLength: 2000 })),
  state: Type.Optional(Type.String({ maxLength: 3000 })),
  resource: Type.Optional(Type.String({ maxLength: 1000 })),
}
const strict = { additionalProperties: false } as const
const Request = Type.Object(AuthorizationRequest, strict)
export type AuthorizationRequest = Static<typeof Request>

const ConnectedProgram = Type.Object({
  id: Type.String(),
  ...ProgramFacts,
  scopes: Scopes,
  connectedAt: Timestamp,
  lastUsedAt: Nullable(Type.String({ description: 'To the minute; null: never.' })),
})
const OwnProgram = Type.Object({
  ...ConnectedProgram.properties,
  organization: Type.Object({ name: Type.String(), slug: Type.String() }),
})
export type OwnProgram = Static<typeof OwnProgram>
const OrgProgram = Type.Object({
  ...ConnectedProgram.properties,
  connectedBy: Nullable(Type.String({ description: 'The person whose role limits it; null: they have left.' })),
})
export type OrgProgram = Static<typeof OrgProgram>

const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, strict)

export const programsApi = {
  getRequest: endpoint({
    method: 'GET',
    path: '/account/programs/request',
    access: 'person',
    query: Request,
    reply: Type.Object({
      program: Type.Object(ProgramFacts),
      scopes: Scopes,
      refusal: Type.String({ description: 'The address that tells the program that it was not let in.' }),
      isFaulty: Type.Boolean({ description: 'True: the request is wrong, and only that address is left.' }),
    }),
    summary: 'What a program that wants to be connected asks for.',
  }),
  connect: endpoint({
    method: 'POST',
    path: '/organization/programs',
    access: 'member',
    peopleOnly: true,
    body: Type.Object(
      { request: Request, scopes: Type.Array(Type.Enum(programScopes), { minItems: 1, maxItems: 4 }) },
      strict,
    ),
    reply: Type.Object({
      address: Type.String({ description: 'Where the browser goes next, with the code for the program.' }),
    }),
    refuses: [409],
    summary: 'Connects a program to the organization, with the rights of the caller and at most these permissions.',
  }),
  listOwn: endpoint({
    method: 'GET',
    path: '/account/programs',
    access: 'person',
    reply: Type.Object({ items: Type.Array(OwnProgram, { maxItems: maxProgramsListed }) }),
    summary: 'The programs that the caller has connected, in all organizations.',
  }),
  disconnect: endpoint({
    method: 'DELETE',
    path: '/account/programs/:id',
    access: 'person',
    params: Id,
    reply: Done,
    refuses: [404],
    summary: 'Disconnects a program that the caller has connected.',
  }),
  list: endpoint({
    method: 'GET',
    path: '/organization/programs',
    access: 'integration:manage',
    peopleOnly: true,
    reply: Type.Object({ items: Type.Array(OrgProgram, { maxItems: maxProgramsPerOrg }) }),
    summary: `The programs that members have connected to the organization, newest first, at most ${maxProgramsPerOrg}.`,
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/organization/programs/:id',
    access: 'integration:manage',
    peopleOnly: true,
    params: Id,
    reply: Done,
    refuses: [404],
    summary: 'Disconnects a program that a member has connected to the organization.',
  }),
} as const
