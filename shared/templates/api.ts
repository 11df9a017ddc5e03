import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { fileNameMaxChars } from '#shared/media/sent-files.ts'
import { headerMedia, type TemplateComponent } from './components.ts'
import { fileHandlePattern } from './files.ts'
import {
  parameterFormats,
  type TemplateCategory,
  type TemplateQuality,
  type TemplateStatus,
  templateCategories,
  templateQualities,
  templateStatuses,
} from './words.ts'

export const templatesPerPage = 30
/** Templates copied per call: each is sent to Meta. */
export const maxMigrated = 50

const TemplateId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: "Meta's id; of a draft, ours until it is sent for review.",
})
const TemplateName = Type.String({ minLength: 1, maxLength: 512, description: 'The whole name of a template.' })
const LanguageCode = Type.String({
  pattern: '^[a-z]{2,3}([_-][A-Za-z]{2,4})?$',
  description: "Meta's code: `es_AR`.",
})
const Component = Type.Unsafe<TemplateComponent>({ type: 'object', additionalProperties: true })

/** A header file, stored here so that it can be shown and sent again. */
export const TemplateMedia = Type.Object({
  handle: Type.String({ description: 'For `file`, or for `example.header_handle` of a header: `media:…`.' }),
  url: Type.String({ description: 'Where members see it.' }),
  mime: Type.String(),
  name: Nullable(Type.String()),
  size: Type.Integer({ description: 'Bytes' }),
})
export type TemplateMedia = Static<typeof TemplateMedia>

export const Template = Type.Object({
  id: TemplateId,
  name: Type.String(),
  language: Type.String({ description: "Meta's code: `es_AR`." }),
  status: Type.Unsafe<TemplateStatus>({
    type: 'string',
    description: `Meta's word, or \`DRAFT\`: ${templateStatuses.join(', ')}.`,
  }),
  category: Type.Unsafe<TemplateCategory>({ type: 'string', description: 'As Meta has it.' }),
  parameterFormat: Type.Enum(parameterFormats),
  components: Type.Array(Component, { description: 'As Meta has them.' }),
  quality: Type.Unsafe<TemplateQuality>({ type: 'string', description: templateQualities.join(', ') }),
  rejectedReason: Nullable(
    Type.String({ description: "Meta's word: `INVALID_FORMAT`; null when it is not rejected." }),
  ),
  updatedAt: Timestamp,
  createdAt: Timestamp,
  categoryAsked: Nullable(
    Type.Unsafe<TemplateCategory>({
      type: 'string',
      description: 'The category that was requested here; null: created elsewhere.',
    }),
  ),
  note: Nullable(
    Type.String({
      description: 'What Meta says besides the status: why it is paused (`FIRST_PAUSE`), a recommendation.',
    }),
  ),
  /** Meta paused it at this time. Null: not paused, or Meta did not say which pause it is. */
  pausedSince: Nullable(Timestamp),
  /** Meta ends its pause at this time. Null: not paused, or Meta did not say which pause it is. */
  pausedUntil: Nullable(Timestamp),
  ttlSeconds: Nullable(
    Type.Integer({ description: "Seconds after which Meta gives up an undelivered message; null: Meta's default." }),
  ),
  media: Type.Array(
    Type.Object({
      card: Nullable(Type.Integer({ description: 'Which card of a carousel; null: the header.' })),
      ...TemplateMedia.properties,
    }),
    { description: 'Files of its headers that are kept here; of a template created elsewhere there are none.' },
  ),
  uses: Type.Integer({ description: 'How often it was sent from here.' }),
  lastUsedAt: Nullable(Timestamp),
  syncedAt: Nullable(Timestamp),
})
export type Template = Static<typeof Template>

/** A template and all languages of its name, itself included, by language. */
export const TemplateWithLanguages = Type.Object({ ...Template.properties, languages: Type.Array(Template) })
export type TemplateWithLanguages = Static<typeof TemplateWithLanguages>

const Components = Type.Array(Component, { minItems: 0, maxItems: 20 })
const TtlSeconds = Type.Integer({ minimum: -1, maximum: 2_592_000 })

/**
 * A template as a person writes it. `checkTemplate` (`check.ts`) checks it against Meta's rules, in the browser and on
 * the server.
 */
export const TemplateDraft = Type.Object(
  {
    name: Type.String({ maxLength: 600 }),
    language: Type.String({ maxLength: 20 }),
    category: Type.Enum(templateCategories),
    parameterFormat: Type.Optional(
      Type.Enum(parameterFormats, { description: 'Absent: named when the texts have named variables.' }),
    ),
    components: Components,
    ttlSeconds: Type.Optional(TtlSeconds),
  },
  { additionalProperties: false },
)
export type TemplateDraft = Static<typeof TemplateDraft>

/** Meta never changes name and language; in a draft they may change. Absent: unchanged. */
const TemplateChange = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 600 })),
    language: Type.Optional(Type.String({ maxLength: 20 })),
    category: Type.Optional(Type.Enum(templateCategories)),
    parameterFormat: Type.Optional(Type.Enum(parameterFormats)),
    components: Type.Optional(Components),
    ttlSeconds: Type.Optional(Type.Union([TtlSeconds, Type.Null()])),
  },
  { additionalProperties: false },
)

/** Larger files are uploaded as a stream with `uploadTemplateMedia`. */
export const maxInlineBytes = headerMedia.IMAGE.maxBytes

const TemplateFile = Type.Union([
  Type.String({ pattern: `^${fileHandlePattern}$`, description: 'The `handle` that an upload answered.' }),
  Type.Object(
    {
      name: Type.Optional(Type.String({ maxLength: fileNameMaxChars })),
      dataBase64: Type.String({ minLength: 1, description: 'At most 5 MB; larger ones are uploaded first.' }),
    },
    { additionalProperties: false },
  ),
  Type.Null(),
])

const WriteOptions = {
  file: Type.Optional(TemplateFile),
  draft: Type.Optional(Type.Boolean({ description: 'Only kept here, unfinished as it may be; not sent to Meta.' })),
}
/** Base64 is a third longer. */
const writeLimitBytes = Math.ceil(maxInlineBytes * 1.4) + 512 * 1024

const IdParams = Type.Object({ id: TemplateId }, { additionalProperties: false })

export const TemplateSync = Type.Object({
  state: Type.Enum(['never', 'waiting', 'synced', 'failed'], {
    description: '`waiting`: asked for, not done yet.',
  }),
  syncedAt: Nullable(Timestamp),
  failure: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  total: Type.Integer({ description: 'Templates of the connected account.' }),
  byStatus: Type.Record(Type.String(), Type.Integer()),
  languages: Type.Array(Type.String(), { description: 'Those in use, for filters.' }),
  mainLanguage: Nullable(
    Type.String({ description: "The language of most templates, Meta's samples aside; null: there are none." }),
  ),
})
export type TemplateSync = Static<typeof TemplateSync>

const migrationResults = ['imported', 'updated', 'copied', 'exists', 'failed'] as const

export const TemplateMigration = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Nullable(Type.String({ description: 'Its id in the connected account.' })),
      name: Type.String(),
      language: Type.String(),
      result: Type.Enum(migrationResults),
      reason: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    }),
    { description: 'At most 500. Unchanged templates are only counted.' },
  ),
  imported: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
})
export type TemplateMigration = Static<typeof TemplateMigration>

export const templatesApi = {
  list: endpoint({
    method: 'GET',
    path: '/whatsapp/template',
    access: 'chat:read',
    sameFor: 'organization',
    query: Type.Object(
      {
        page: Type.Optional(PageNumber),
        status: Type.Optional(Type.Enum(templateStatuses)),
        category: Type.Optional(Type.Enum(templateCategories)),
        language: Type.Optional(LanguageCode),
        quality: Type.Optional(Type.Enum(templateQualities)),
        name: Type.Optional(TemplateName),
        search: Type.Optional(Type.String({ maxLength: 200, description: 'In the name and the texts.' })),
      },
      { additionalProperties: false },
    ),
    reply: pageOf(Template),
    summary: `The templates of the connected account, latest change first, ${templatesPerPage} at a time.`,
  }),
  get: endpoint({
    method: 'GET',
    path: '/whatsapp/template/:id',
    access: 'chat:read',
    sameFor: 'organization',
    params: IdParams,
    reply: TemplateWithLanguages,
    refuses: [404],
    summary: "One template, with its name's other languages.",
  }),
  getByName: endpoint({
    method: 'GET',
    path: '/whatsapp/template/name/:name',
    access: 'chat:read',
    sameFor: 'organization',
    params: Type.Object({ name: TemplateName }, { additionalProperties: false }),
    query: Type.Object({ language: Type.Optional(LanguageCode) }, { additionalProperties: false }),
    reply: TemplateWithLanguages,
    refuses: [404],
    summary: 'A template by its name: in the given language, else one that can be sent, else the latest.',
  }),
  create: endpoint({
    method: 'POST',
    path: '/whatsapp/template',
    access: 'template:edit',
    body: Type.Object({ template: TemplateDraft, ...WriteOptions }, { additionalProperties: false }),
    bodyLimit: writeLimitBytes,
    fileLimit: headerMedia.DOCUMENT.maxBytes,
    status: 201,
    idempotent: true,
    example: {
      body: {
        template: {
          name: 'pedido_listo',
          language: 'es_AR',
          category: 'UTILITY',
          components: [{ type: 'BODY', text: 'Tu pedido está listo para retirar.' }],
        },
      },
    },
    reply: Template,
    refuses: [409, 502],
    summary: 'Creates a template in one language and sends it to Meta for review.',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/whatsapp/template/:id',
    access: 'template:edit',
    params: IdParams,
    body: Type.Object({ template: TemplateChange, ...WriteOptions }, { additionalProperties: false }),
    bodyLimit: writeLimitBytes,
    fileLimit: headerMedia.DOCUMENT.maxBytes,
    example: {
      body: { template: { components: [{ type: 'BODY', text: 'Tu pedido te espera hasta las 20.' }] } },
    },
    reply: Template,
    refuses: [404, 409, 502],
    summary: 'Changes a template; Meta reviews it again. A draft is sent for review unless it stays a draft.',
  }),
  /** The name is typed as a confirmation and must be the template's. */
  remove: endpoint({
    method: 'DELETE',
    path: '/whatsapp/template/:id/:name',
    access: 'template:edit',
    params: Type.Object({ id: TemplateId, name: TemplateName }, { additionalProperties: false }),
    query: Type.Object(
      {
        scope: Type.Optional(
          Type.Enum(['language', 'name'], {
            default: 'language',
            description: '`language`: this one alone; `name`: all languages of the name.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({ removed: Type.Array(Type.Object({ id: Type.String(), language: Type.String() })) }),
    refuses: [404, 409, 502],
    summary:
      'Deletes one language of a template, or its whole name; `name` must be its own. Meta keeps the name of an approved one blocked for 30 days.',
  }),
  migrate: endpoint({
    method: 'POST',
    path: '/whatsapp/template/migrate',
    access: 'template:edit',
    body: Type.Object(
      {
        ids: Type.Optional(
          Type.Array(TemplateId, {
            maxItems: maxMigrated,
            description: 'Templates of an account that was connected before, to copy to the one connected now.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: TemplateMigration,
    refuses: [409, 502],
    summary:
      'Imports the templates of the connected account; with `ids`, copies those of an earlier account to it. Repeating it changes nothing.',
  }),
  /** Templates of earlier accounts, which `migrate` can copy. */
  listEarlier: endpoint({
    method: 'GET',
    path: '/whatsapp/template/earlier',
    access: 'template:edit',
    query: Type.Object({ page: Type.Optional(PageNumber) }, { additionalProperties: false }),
    reply: pageOf(Template),
    summary: 'Templates of accounts that were connected before and are not in the one connected now.',
  }),
  getSync: endpoint({
    method: 'GET',
    path: '/whatsapp/template/sync',
    access: 'chat:read',
    sameFor: 'organization',
    reply: TemplateSync,
    summary: 'Whether the templates here are up to date with those at Meta.',
  }),
  sync: endpoint({
    method: 'POST',
    path: '/whatsapp/template/sync',
    access: 'template:edit',
    reply: TemplateSync,
    refuses: [409, 502],
    summary: 'Reads all templates from Meta now.',
  }),
} as const
