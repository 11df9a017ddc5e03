import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'
import { showPart, statsFilter } from './filter.ts'

/** A finished file can be downloaded for this many days. */
export const exportKeptDays = 7
/** The exports kept for one person. Older ones are deleted when another begins. */
export const exportsPerAuthor = 5
/** The exports kept for one organization, all people together. */
export const exportsPerOrg = 50
/** Unfinished ones of one organization. */
export const exportsAtOnce = 5
/**
 * Compressed, of all files of one organization: some 800,000 rows. An erasure deletes all of them in its commit, which takes
 * the single writer of SQLite 40 ms.
 */
export const exportsMaxBytes = 24 * 1024 * 1024

const Id = Type.String({ minLength: 1, maxLength: 64 })
const Params = Type.Object({ id: Id }, { additionalProperties: false })

const exportFailures = ['noRoom', 'noRights', 'erased', 'broken'] as const
export type ExportFailure = (typeof exportFailures)[number]

const StatsExport = Type.Object({
  id: Id,
  state: Type.Enum(['running', 'done', 'stopped', 'failed'], {
    description: '`running`: also while it waits for others.',
  }),
  failure: Nullable(
    Type.Enum(exportFailures, {
      description:
        '`noRoom`: the organization has too many files · `noRights`: its author may not export any more · `erased`: deleted because a contact was erased · `broken`: an error.',
    }),
  ),
  from: Nullable(Type.String({ description: 'First day; null: the present state, not of a day.' })),
  to: Nullable(Type.String()),
  unknown: Type.Array(Type.Enum(['team', 'member', 'tag', 'number']), {
    maxItems: 4,
    description: 'Filters that name something the organization does not have: the file has no rows.',
  }),
  isOwn: Type.Boolean({ description: 'Has only conversations of its author, who may not export those of others.' }),
  rows: Nullable(Type.Integer({ minimum: 0, description: 'Null: not counted yet.' })),
  done: Type.Integer({ minimum: 0, description: 'Rows that are written.' }),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
  expiresAt: Nullable(Type.String({ description: 'When the file is deleted; null: there is none.' })),
  url: Nullable(Type.String({ description: 'Where the file is downloaded; null: there is none.' })),
})
export type StatsExport = Static<typeof StatsExport>

/** The segments that a filter leaves, as a file that a job writes. Everybody sees and fetches only their own exports. */
export const statsExportApi = {
  begin: endpoint({
    method: 'POST',
    path: '/stats/report',
    access: 'stats:read',
    body: Type.Object({ ...statsFilter, ...showPart }, { additionalProperties: false }),
    status: 202,
    idempotent: true,
    reply: StatsExport,
    refuses: [409],
    summary:
      'Starts writing a CSV file, one row for each segment. Callers without the right to export data get only their own segments.',
  }),
  listExports: endpoint({
    method: 'GET',
    path: '/stats/report',
    access: 'stats:read',
    reply: Type.Object({ items: Type.Array(StatsExport, { maxItems: exportsPerAuthor }) }),
    summary: 'The files that the caller asked for, newest first.',
  }),
  getExport: endpoint({
    method: 'GET',
    path: '/stats/report/:id',
    access: 'stats:read',
    params: Params,
    reply: StatsExport,
    refuses: [404],
    summary: 'The progress of a file, and its address once it is finished.',
  }),
  stop: endpoint({
    method: 'POST',
    path: '/stats/report/:id/stop',
    access: 'stats:read',
    params: Params,
    reply: StatsExport,
    refuses: [404],
    summary: 'Stops writing a file and deletes it. If it is finished, nothing changes.',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/stats/report/:id',
    access: 'stats:read',
    params: Params,
    reply: Done,
    refuses: [404],
    summary: 'Deletes a file.',
  }),
} as const

/** Its route is registered separately, because the answer is not JSON. */
export const statsExportFile = endpoint({
  method: 'GET',
  path: '/stats/report/:id/file',
  access: 'stats:read',
  params: Params,
  query: Type.Object(
    {
      organization: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Id or slug, for links, which send no header.' }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Type.String({ description: 'Comma-separated values in UTF-8.' }),
  refuses: [404, 409],
  summary: 'Downloads a finished file. Only the caller who asked for it can, while they may see its content.',
})
