import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { orgRoles } from '#shared/kernel/permissions.ts'

/** The limit of better-auth, too. */
export const maxMembersListed = 1000
export const membersPerPage = 50

const OrgMember = Type.Object({
  id: Type.String({ description: 'Id of the membership, needed for changing the role.' }),
  userId: Type.String(),
  name: Type.String(),
  email: Type.String(),
  rol: Type.String({ description: "The role's name in the caller's language." }),
  roleId: Type.Enum(orgRoles, { description: 'An unknown role has the rights of a viewer and is listed as one.' }),
  lastSeenAt: Type.Optional(
    Nullable(
      Type.String({
        description:
          'When a session of theirs was last used, to the hour, ISO 8601 UTC; null: none. Only with `details`.',
      }),
    ),
  ),
  hasSecondFactor: Type.Optional(Type.Boolean({ description: 'Only with `details`.' })),
})

export type OrgMember = Static<typeof OrgMember>

/** better-auth's limit. */
export const maxTeams = 100
export const teamNameMaxChars = 60
export const teamDescriptionMaxChars = 500

const OrgTeam = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String({ description: 'Empty when nobody has written one.' }),
  memberIds: Type.Array(Type.String(), { description: 'User ids of its members, sorted by name.' }),
})
export type OrgTeam = Static<typeof OrgTeam>

/**
 * Creating, changing and removing teams and their members are calls of better-auth: `/api/auth/organization/…-team…`.
 */
export const membersApi = {
  listMembers: endpoint({
    method: 'GET',
    path: '/members/members',
    access: 'member',
    query: Type.Object(
      {
        search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name or the address.' })),
        details: Type.Optional(
          Type.Boolean({ description: 'True: also how the account is used, for callers who may manage members.' }),
        ),
        page: Type.Optional(PageNumber),
        pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: maxMembersListed, default: maxMembersListed })),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      ...pageOf(OrgMember).properties,
      total: Type.Integer({ minimum: 0, description: 'Number of matching members.' }),
    }),
    summary: `The members of the organization by name, at most ${maxMembersListed} a page.`,
  }),
  listTeams: endpoint({
    method: 'GET',
    path: '/members/teams',
    access: 'member',
    reply: Type.Object({ items: Type.Array(OrgTeam) }),
    summary: `The teams of the organization by name, at most ${maxTeams}, with the user ids of their members.`,
  }),
  getOrganization: endpoint({
    method: 'GET',
    path: '/organization',
    access: 'member',
    reply: Type.Object({
      id: Type.String(),
      name: Type.String(),
      slug: Type.String(),
      logo: Nullable(Type.String()),
      createdAt: Timestamp,
    }),
    summary: 'The organization of the caller.',
  }),
} as const
