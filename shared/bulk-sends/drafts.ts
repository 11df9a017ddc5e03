import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'
import { maxTagsOfContact, TagId } from '#shared/tags/api.ts'
import { careDefaults, usualHours } from './care.ts'
import { sendNameMaxChars } from './limits.ts'
import { Sources } from './values.ts'

/** Drafts per person in an organization, drafts listed, and characters of pasted numbers per draft. */
export const bulkDraftLimits = { ofPerson: 50, listed: 200, numbersChars: 320_000 } as const

const Id = Type.String({ pattern: '^[0-9a-z]{24}$' })
/** The content of a field, possibly incomplete. */
const Typed = Type.String({ maxLength: 20 })

const Template = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    name: Type.String({ maxLength: 512 }),
    language: Type.String({ maxLength: 20 }),
  },
  { additionalProperties: false, description: 'As it was when it was chosen.' },
)

/** The contents of a draft's steps. */
export const BulkDraftSteps = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: sendNameMaxChars })),
    template: Type.Optional(Template),
    audience: Type.Object(
      {
        tagIds: Type.Array(TagId, { maxItems: maxTagsOfContact }),
        match: Type.Enum(['any', 'all']),
        numbers: Type.String({ maxLength: bulkDraftLimits.numbersChars }),
        segment: Type.Optional(Id),
        unanswered: Type.Optional(Id),
        again: Type.Optional(Id),
      },
      { additionalProperties: false },
    ),
    /** Files are not stored with the draft. */
    hadFile: Type.Boolean({ description: 'A file was chosen: it has to be chosen again.' }),
    hadMoreNumbers: Type.Boolean({ description: 'More numbers were pasted than a draft keeps, and it keeps none.' }),
    sources: Sources,
    cap: Type.Object({ isOn: Type.Boolean(), sends: Typed, days: Typed }, { additionalProperties: false }),
    care: Type.Object(
      {
        hasCanary: Type.Boolean(),
        people: Typed,
        waitMinutes: Typed,
        hasHours: Type.Boolean(),
        from: Typed,
        to: Typed,
        failedPercent: Typed,
        optedOutPercent: Typed,
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
export type BulkDraftSteps = Static<typeof BulkDraftSteps>

/** The steps of a new send, with these numbers as recipients. */
export const newDraftSteps = (numbers: string): BulkDraftSteps => ({
  audience: { tagIds: [], match: 'any', numbers },
  hadFile: false,
  hadMoreNumbers: false,
  sources: {},
  cap: {
    isOn: true,
    sends: String(careDefaults.marketingCap.sends),
    days: String(careDefaults.marketingCap.days),
  },
  care: {
    hasCanary: false,
    people: String(careDefaults.canary.people),
    waitMinutes: String(careDefaults.canary.waitMinutes),
    hasHours: false,
    from: String(usualHours.from),
    to: String(usualHours.to),
    failedPercent: String(careDefaults.failedPercent),
    optedOutPercent: String(careDefaults.optedOutPercent),
  },
})

/** Ways to choose recipients. */
const audienceKinds = ['tags', 'segment', 'numbers', 'file', 'unanswered', 'again'] as const
export type AudienceKind = (typeof audienceKinds)[number]

export const BulkDraft = Type.Object({
  id: Id,
  revision: Type.Integer({ minimum: 1, description: 'Of the last save; the next one names it.' }),
  name: Nullable(Type.String({ description: 'Of the send, as its creator named it; null: not yet.' })),
  template: Nullable(Type.Object(Template.properties)),
  hasAudience: Type.Boolean({ description: 'Somebody is named, if only by a file that has to be chosen again.' }),
  audience: Type.Array(Type.Enum(audienceKinds), {
    description: 'By which ways; none of one that was saved before they were kept.',
  }),
  createdBy: Type.String(),
  savedBy: Type.String(),
  savedAt: Timestamp,
})
export type BulkDraft = Static<typeof BulkDraft>

export const WholeBulkDraft = Type.Object({ ...BulkDraft.properties, steps: BulkDraftSteps })
export type WholeBulkDraft = Static<typeof WholeBulkDraft>

const access = 'bulk:send'
const Params = Type.Object({ id: Id }, { additionalProperties: false })
const bodyLimit = 512 * 1024
const example = {
  audience: { tagIds: [], match: 'any' as const, numbers: '5491155550100' },
  hadFile: false,
  hadMoreNumbers: false,
  sources: {},
  cap: { isOn: true, sends: '1', days: '1' },
  care: {
    hasCanary: false,
    people: '50',
    waitMinutes: '30',
    hasHours: false,
    from: '9',
    to: '20',
    failedPercent: '20',
    optedOutPercent: '5',
  },
}

/** Drafts of bulk sends. Owners and admins see all of them, others their own. */
export const bulkDraftsApi = {
  listDrafts: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-drafts',
    access,
    reply: Type.Object({ items: Type.Array(BulkDraft) }),
    summary: `Drafts of bulk sends, the ${bulkDraftLimits.listed} saved last.`,
  }),
  getDraft: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-drafts/:id',
    access,
    params: Params,
    reply: WholeBulkDraft,
    refuses: [404],
    summary: 'A draft of a bulk send.',
  }),
  createDraft: endpoint({
    method: 'POST',
    path: '/whatsapp/bulk-drafts',
    access,
    body: Type.Object({ steps: BulkDraftSteps }, { additionalProperties: false }),
    bodyLimit,
    idempotent: true,
    example: { body: { steps: example } },
    reply: BulkDraft,
    refuses: [409],
    summary: `Creates a draft of a bulk send; at most ${bulkDraftLimits.ofPerson} for each person.`,
  }),
  saveDraft: endpoint({
    method: 'PUT',
    path: '/whatsapp/bulk-drafts/:id',
    access,
    params: Params,
    body: Type.Object(
      { revision: Type.Integer({ minimum: 1 }), steps: BulkDraftSteps },
      { additionalProperties: false },
    ),
    bodyLimit,
    example: { body: { revision: 1, steps: example } },
    reply: BulkDraft,
    refuses: [404, 409],
    summary: 'Saves a draft of a bulk send. Refused with 409 if somebody has saved it since that revision.',
  }),
  deleteDraft: endpoint({
    method: 'DELETE',
    path: '/whatsapp/bulk-drafts/:id',
    access,
    params: Params,
    reply: Done,
    refuses: [404],
    summary: 'Deletes a draft of a bulk send.',
  }),
} as const
