import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'

/** A prepared download of a chat can be started for this long. */
export const exportTicketMinutes = 5
/** An archive is deleted after this time. */
export const archiveKeptDays = 7

const archiveFailures = ['erased', 'noRights', 'noDisk', 'broken'] as const
export type ArchiveFailure = (typeof archiveFailures)[number]

const count = Type.Integer({ minimum: 0 })

export const OrgArchive = Type.Object({
  state: Type.Enum(['running', 'done', 'failed']),
  failure: Nullable(
    Type.Enum(archiveFailures, {
      description:
        '`erased`: deleted because a contact was erased · `noRights`: who asked for it may not export any more · `noDisk`: the server has no room for it · `broken`: an error.',
    }),
  ),
  author: Type.String({ description: 'By name.' }),
  contacts: Type.Integer({ minimum: 0, description: 'How many there were when it started.' }),
  messages: count,
  done: Type.Integer({ minimum: 0, description: 'Messages that are written; each is written in three forms.' }),
  size: Nullable(Type.Integer({ description: 'Bytes of the finished archive.' })),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
  expiresAt: Nullable(Type.String({ description: 'When the archive is deleted; null: there is none.' })),
  url: Nullable(Type.String({ description: 'Where the archive is downloaded; null: there is none.' })),
})
export type OrgArchive = Static<typeof OrgArchive>

/** Everything an organization has, as one archive that a job makes. An organization has one at a time. */
export const orgExportApi = {
  begin: endpoint({
    method: 'POST',
    path: '/organization/export',
    access: 'data:export',
    peopleOnly: true,
    status: 202,
    reply: OrgArchive,
    refuses: [409],
    summary:
      'Begins an archive of everything the organization has: pages to read, tables, records as JSON, and files. It replaces the one before.',
  }),
  getArchive: endpoint({
    method: 'GET',
    path: '/organization/export',
    access: 'data:export',
    peopleOnly: true,
    reply: Type.Object({ archive: Nullable(OrgArchive) }),
    summary: 'How far the archive is, and where it is downloaded.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/organization/export',
    access: 'data:export',
    peopleOnly: true,
    reply: Done,
    summary: 'Deletes the archive, also one that is being made.',
  }),
} as const

/** Its route is registered separately, because the answer is not JSON. */
export const orgArchiveFile = endpoint({
  method: 'GET',
  path: '/organization/export/file',
  access: 'data:export',
  peopleOnly: true,
  query: Type.Object(
    {
      organization: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Id or slug, for links, which send no header.' }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Type.String({ description: 'A zip. `range` asks for a part, so that a download can be resumed.' }),
  refuses: [404, 409, 416],
  summary: 'The finished archive.',
})
