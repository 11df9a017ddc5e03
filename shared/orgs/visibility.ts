import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { orgRoles } from '#shared/kernel/permissions.ts'
import { TagId } from '#shared/tags/api.ts'

const Role = Type.Enum(orgRoles)

const AssignedTags = Type.Object({ items: Type.Array(Type.Object({ tagId: Type.String() })) })
const AvailableTag = Type.Object({ id: Type.String(), label: Type.String() })
const Granted = Type.Object({ role: Role, phoneTagId: Type.String(), granted: Type.Boolean() })

const ContentAccess = Type.Object({
  conversations: Type.Boolean({
    description:
      'True: members see only conversations with a tag granted to their role, and those assigned to them or their team.',
  }),
  teams: Type.Boolean({
    description: 'True: conversations assigned to a team are visible only to its members and the assignee.',
  }),
})

/** The content of tags that roles see. Owners and admins always see all. */
export const visibilityApi = {
  listAssignedTags: endpoint({
    method: 'GET',
    path: '/whatsapp/tags',
    access: 'member',
    query: Type.Object({ role: Type.Optional(Role) }, { additionalProperties: false }),
    reply: AssignedTags,
    summary:
      'The tags whose content a role can see; without a role, that of the caller. Other roles need the permission to manage members.',
  }),
  listAvailableTags: endpoint({
    method: 'GET',
    path: '/whatsapp/available-tags',
    access: 'member',
    reply: Type.Object({ items: Type.Array(AvailableTag) }),
    summary: "The tags the caller may grant, by label: all for owner and admin, else only those of the caller's role.",
  }),
  setContentPermission: endpoint({
    method: 'POST',
    path: '/members/content-permissions',
    access: 'member:manage',
    body: Type.Object(
      {
        role: Role,
        phoneTagId: TagId,
        granted: Type.Optional(Type.Boolean({ description: 'Absent: toggles the current value.' })),
      },
      { additionalProperties: false },
    ),
    reply: Granted,
    refuses: [404, 409],
    summary: 'Grants a role the content of a tag, or revokes it.',
  }),
  getContentAccess: endpoint({
    method: 'GET',
    path: '/members/content-access',
    access: 'member',
    reply: ContentAccess,
    summary: 'The rules that limit which conversations members see. Owner and admin always see all.',
  }),
  changeContentAccess: endpoint({
    method: 'PUT',
    path: '/members/content-access',
    access: 'member:manage',
    body: Type.Partial(ContentAccess, { additionalProperties: false, minProperties: 1 }),
    reply: ContentAccess,
    summary: 'Sets the rules that limit which conversations members see: tags of roles, teams, both or none.',
  }),
} as const
