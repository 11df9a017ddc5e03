import { type Static, Type } from 'typebox'
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
      'True: of conversations, too, people see only those with a tag of their role, and those of theirs or their team.',
  }),
  teams: Type.Boolean({
    description: 'True: what is assigned to a team is seen by its people only, and by whom it is assigned to.',
  }),
})
export type ContentAccess = Static<typeof ContentAccess>

/** Which roles see the content of which tags. Owners and admins always see all. */
export const visibilityApi = {
  listAssignedTags: endpoint({
    method: 'GET',
    path: '/whatsapp/tags',
    access: 'member',
    query: Type.Object({ role: Type.Optional(Role) }, { additionalProperties: false }),
    reply: AssignedTags,
    summary:
      "The tags whose content a role has; without a role, the caller's own. Another's only for who manages people.",
  }),
  listAvailableTags: endpoint({
    method: 'GET',
    path: '/whatsapp/available-tags',
    access: 'member',
    reply: Type.Object({ items: Type.Array(AvailableTag) }),
    summary: 'The tags the caller may grant, by label: all for owner and admin, else their own.',
  }),
  setContentPermission: endpoint({
    method: 'POST',
    path: '/members/content-permissions',
    access: 'member:manage',
    body: Type.Object(
      {
        role: Role,
        phoneTagId: TagId,
        granted: Type.Optional(Type.Boolean({ description: 'Absent: the other of what it is now.' })),
      },
      { additionalProperties: false },
    ),
    reply: Granted,
    refuses: [404, 409],
    summary: 'Gives a role the content of a tag, or takes it away.',
  }),
  getContentAccess: endpoint({
    method: 'GET',
    path: '/members/content-access',
    access: 'member',
    reply: ContentAccess,
    summary: 'What limits which conversations are seen. Owner and admin see all, always.',
  }),
  changeContentAccess: endpoint({
    method: 'PUT',
    path: '/members/content-access',
    access: 'member:manage',
    body: Type.Partial(ContentAccess, { additionalProperties: false, minProperties: 1 }),
    reply: ContentAccess,
    summary: 'Says what limits which conversations are seen: the tags of roles, teams, both or nothing.',
  }),
} as const
