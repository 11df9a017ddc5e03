import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

/** A deletion can be undone for this many days. */
export const deletionGraceDays = 14

const Ending = Type.Object({
  deletesAt: Nullable(Timestamp),
})

/** The calls about an organization that only owners may make. */
export const orgOwnershipApi = {
  transfer: endpoint({
    method: 'POST',
    path: '/organization/transfer',
    access: 'org:delete',
    peopleOnly: true,
    body: Type.Object(
      { userId: Type.String({ minLength: 1, maxLength: 64, description: 'User id of the member.' }) },
      { additionalProperties: false },
    ),
    reply: Type.Object({ ownerName: Type.String() }),
    refuses: [404],
    summary: 'Makes a member the owner and the caller an administrator; the owners are mailed.',
  }),
  requestDeletion: endpoint({
    method: 'POST',
    path: '/organization/deletion',
    access: 'org:delete',
    peopleOnly: true,
    body: Type.Object(
      { slug: Type.String({ minLength: 1, maxLength: 60, description: 'Slug of the organization, as confirmation.' }) },
      { additionalProperties: false },
    ),
    reply: Ending,
    summary: `Deletes the organization in ${deletionGraceDays} days; until then it works as before and an owner can undo it.`,
  }),
  undoDeletion: endpoint({
    method: 'DELETE',
    path: '/organization/deletion',
    access: 'org:delete',
    peopleOnly: true,
    reply: Ending,
    summary: 'Cancels the deletion of an organization.',
  }),
} as const
