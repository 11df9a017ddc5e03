import type { Db } from '#server/platform/db/database.ts'
import { requireRowsLeft, rowLimits } from '#server/platform/db/row-limits-store.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { failureKey } from '#server/whatsapp/errors.ts'
import { readComponents } from '#server/whatsapp/template-shape.ts'
import type { ReceivedFile, ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import {
  type Template,
  type TemplateDraft,
  type TemplateSync,
  type templatesApi,
  templatesPerPage,
} from '#shared/templates/api.ts'
import { parameterFormatOf } from '#shared/templates/check.ts'
import { handleOf } from '#shared/templates/files.ts'
import { isDeletable, isEditable, type TemplateStatus } from '#shared/templates/words.ts'
import { templateChanged } from './changes.ts'
import { templateErrors } from './errors.ts'
import type { TemplateFiles } from './files.ts'
import { mediaRefs, takesFile, withFile } from './headers.ts'
import { invalidTemplate, requireValid } from './input.ts'
import { createMigration } from './migration.ts'
import { present } from './present.ts'
import {
  countByStatus,
  deleteTemplates,
  findByKey,
  findTemplate,
  listByName,
  listEarlier,
  listLanguages,
  listTemplates,
  putTemplate,
  replaceTemplate,
  type StoredTemplate,
} from './store.ts'
import { createSubmission } from './submission.ts'
import { type SyncParts, type TemplateSyncService, tooManyTemplates } from './sync.ts'
import { findSync, findWabaId } from './sync-store.ts'

export interface TemplatesParts extends SyncParts {
  ids(): string
  readonly files: TemplateFiles
  readonly sync: TemplateSyncService
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

type WriteBody = { file?: unknown; draft?: boolean }

const noPlaceForFile = () =>
  new InvalidInput([{ field: 'body.file', code: 'fileNoPlace', params: {}, text: 'templates:fault.fileNoPlace' }])

/** The templates of an organization's WhatsApp account: written here, decided by Meta. */
export function createTemplates(parts: TemplatesParts): ServiceOf<typeof templatesApi, OrgCaller> {
  const { databases, clock, ids, writes, files, sync } = parts
  const submission = createSubmission(parts)
  const migration = createMigration(parts, submission)

  const wabaOf = (orgId: string) => findWabaId(databases.read, orgId)
  const requireWaba = async (orgId: string): Promise<string> => {
    const wabaId = await wabaOf(orgId)
    if (wabaId === undefined) throw templateErrors.NOT_CONNECTED()
    return wabaId
  }

  const presentAll = async (orgId: string, templates: readonly StoredTemplate[]): Promise<Template[]> => {
    const known = await files.list(
      orgId,
      templates.flatMap(one => one.media.map(({ id }) => id)),
    )
    return templates.map(one => present(one, known))
  }
  const presentOne = async (orgId: string, template: StoredTemplate): Promise<Template> =>
    (await presentAll(orgId, [template]))[0] as Template

  const withLanguages = async (orgId: string, template: StoredTemplate) => {
    const languages = await presentAll(orgId, await listByName(databases.read, orgId, template.wabaId, template.name))
    return { ...(languages.find(one => one.id === template.id) as Template), languages }
  }

  const requireTemplate = async (orgId: string, id: string): Promise<StoredTemplate> => {
    const found = await findTemplate(databases.read, orgId, id)
    if (!found) throw templateErrors.NOT_FOUND()
    return found
  }

  /** Stores and emits together. */
  const write = async (
    member: OrgCaller,
    template: StoredTemplate,
    before: StoredTemplate | undefined,
    work: (db: OrgDb) => Promise<void>,
  ) => {
    await writes.run(member.orgId, actorOf(member), async ({ db, emit }) => {
      await work(db)
      emit(templateChanged(template, { before }))
    })
    return template
  }

  /** Normalizes a draft to Meta's spelling and puts its file into the header. */
  const readDraft = async (member: OrgCaller, template: TemplateDraft, { file }: WriteBody): Promise<TemplateDraft> => {
    const { orgId } = member
    const broughtBy = callerId(member)
    let components = readComponents(template.components)
    if (file && !takesFile(components)) throw noPlaceForFile()
    if (typeof file === 'string') components = withFile(components, file)
    else if (file)
      components = withFile(
        components,
        handleOf((await files.storeInline(orgId, { ...(file as { dataBase64: string }), broughtBy })).id),
      )
    const language = template.language.replace('-', '_')
    return { ...template, language, components, parameterFormat: parameterFormatOf({ ...template, components }) }
  }

  /** Runs a request that may have uploaded a file. If it fails, the file is deleted. */
  const withReceived = async <B extends WriteBody, T>(
    member: OrgCaller,
    { body, file }: { body: B; file?: ReceivedFile },
    work: (body: B) => Promise<T>,
  ): Promise<T> => {
    if (!file) return work(body)
    const { orgId } = member
    const taken = await writes.run(orgId, actorOf(member), write => files.take(write, file))
    try {
      return await work({ ...body, file: handleOf(taken.id) })
    } catch (error) {
      await writes.run(orgId, actorOf(member), write => files.giveBack(write, taken))
      throw error
    }
  }

  const requireFree = async (db: Db, orgId: string, wabaId: string, draft: TemplateDraft, except?: string) => {
    const holder = await findByKey(db, orgId, wabaId, draft)
    if (holder && holder.id !== except) throw templateErrors.EXISTS({ fields: ['body.template.name'] })
  }

  const newTemplate = (wabaId: string, draft: TemplateDraft): StoredTemplate => {
    const now = isoNow(clock)
    return {
      id: ids(),
      wabaId,
      name: draft.name,
      language: draft.language,
      status: 'DRAFT',
      category: draft.category,
      categoryAsked: draft.category,
      parameterFormat: draft.parameterFormat ?? 'POSITIONAL',
      components: draft.components,
      media: mediaRefs(draft.components),
      quality: 'UNKNOWN',
      rejectedReason: null,
      note: null,
      ttlSeconds: draft.ttlSeconds ?? null,
      uses: 0,
      lastUsedAt: null,
      createdAt: now,
      updatedAt: now,
      syncedAt: null,
    }
  }

  /** A draft may be incomplete, but needs a name and a language. */
  const requireNamed = (draft: TemplateDraft) => {
    if (!/^[a-z0-9_]{1,512}$/.test(draft.name))
      throw invalidTemplate([{ field: 'name', code: draft.name === '' ? 'required' : 'nameCharacters', params: {} }])
    if (draft.language === '') throw invalidTemplate([{ field: 'language', code: 'required', params: {} }])
  }

  const submit = async (orgId: string, template: StoredTemplate, draft: TemplateDraft): Promise<StoredTemplate> => {
    requireValid(draft)
    const made = await submission.create(orgId, draft)
    return { ...template, id: made.id, status: made.status, category: made.category, updatedAt: isoNow(clock) }
  }

  const changedDraft = (
    known: StoredTemplate,
    change: Partial<TemplateDraft> & { ttlSeconds?: number | null },
  ): TemplateDraft => {
    const ttl = change.ttlSeconds === undefined ? known.ttlSeconds : change.ttlSeconds
    return {
      name: change.name ?? known.name,
      language: change.language ?? known.language,
      category: change.category ?? (known.category as TemplateDraft['category']),
      components: change.components ?? [...known.components],
      ...(change.components && !change.parameterFormat
        ? {}
        : { parameterFormat: change.parameterFormat ?? known.parameterFormat }),
      ...(ttl === null ? {} : { ttlSeconds: ttl }),
    }
  }

  const updateDraft = async (member: OrgCaller, known: StoredTemplate, draft: TemplateDraft, isKept: boolean) => {
    const { orgId } = member
    requireNamed(draft)
    await requireFree(databases.read, orgId, known.wabaId, draft, known.id)
    const fresh = { ...newTemplate(known.wabaId, draft), id: known.id, createdAt: known.createdAt }
    const next = isKept ? fresh : await submit(orgId, fresh, draft)
    return write(member, next, known, async trx => {
      if (!(await replaceTemplate(trx, orgId, known.id, next))) await putTemplate(trx, orgId, next)
    })
  }

  const updateLive = async (member: OrgCaller, known: StoredTemplate, draft: TemplateDraft) => {
    const { orgId } = member
    const fixed = (['name', 'language'] as const).filter(key => draft[key] !== known[key])
    const isCategoryFixed = known.status === 'APPROVED' && draft.category !== known.category
    const faults = [...fixed, ...(isCategoryFixed ? ['category'] : [])]
    if (faults.length) throw invalidTemplate(faults.map(field => ({ field, code: 'cannotChange', params: {} })))
    if (!isEditable(known.status) || (await requireWaba(orgId)) !== known.wabaId) throw templateErrors.NOT_EDITABLE()
    requireValid(draft)
    await submission.edit(orgId, known, draft)
    const next: StoredTemplate = {
      ...known,
      status: 'PENDING',
      category: draft.category,
      categoryAsked: draft.category,
      components: draft.components,
      media: mediaRefs(draft.components),
      rejectedReason: null,
      note: null,
      ttlSeconds: draft.ttlSeconds ?? null,
      updatedAt: isoNow(clock),
    }
    return write(member, next, known, async trx => void (await replaceTemplate(trx, orgId, known.id, next)))
  }

  const syncState = async (orgId: string, language: Language): Promise<TemplateSync> => {
    const wabaId = await wabaOf(orgId)
    const known = wabaId === undefined ? undefined : await findSync(databases.read, orgId)
    const own = known?.wabaId === wabaId ? known : undefined
    const byStatus = wabaId === undefined ? {} : await countByStatus(databases.read, orgId, wabaId)
    const failure = own?.failure ?? null
    const message = (code: string) =>
      code === tooManyTemplates
        ? parts.translate(language, 'errors:APP_TOO_MANY_KEPT_TEMPLATE', { limit: rowLimits.template })
        : parts.translate(language, failureKey(code))
    return {
      state: wabaId === undefined ? 'never' : failure ? 'failed' : own?.syncedAt ? 'synced' : 'waiting',
      syncedAt: own?.syncedAt ?? null,
      failure: failure === null ? null : { code: failure, message: message(failure) },
      total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
      byStatus,
      languages: wabaId === undefined ? [] : await listLanguages(databases.read, orgId, wabaId),
    }
  }

  const pageOf = async (orgId: string, page: number, found: readonly StoredTemplate[]) => ({
    items: await presentAll(orgId, found.slice(0, templatesPerPage)),
    page,
    pageSize: templatesPerPage,
    hasMore: found.length > templatesPerPage,
  })
  const windowOf = (page: number) => ({ offset: (page - 1) * templatesPerPage, limit: templatesPerPage + 1 })

  return {
    async list({ orgId }, { query: { page = 1, ...filters } }) {
      const wabaId = await wabaOf(orgId)
      const language = filters.language?.replace('-', '_')
      const found =
        wabaId === undefined
          ? []
          : await listTemplates(databases.read, orgId, wabaId, { ...filters, language }, windowOf(page))
      return pageOf(orgId, page, found)
    },

    async get({ orgId }, { params }) {
      return withLanguages(orgId, await requireTemplate(orgId, params.id))
    },

    async getByName({ orgId }, { params, query }) {
      const wabaId = await wabaOf(orgId)
      const found = wabaId === undefined ? [] : await listByName(databases.read, orgId, wabaId, params.name)
      const wanted = query.language?.replace('-', '_')
      const latest = [...found].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
      const template = wanted
        ? found.find(one => one.language === wanted)
        : (latest.find(one => one.status === 'APPROVED') ?? latest[0])
      if (!template) throw templateErrors.NOT_FOUND()
      return withLanguages(orgId, template)
    },

    create: (member, input) =>
      withReceived(member, input, async body => {
        const { orgId } = member
        const wabaId = await requireWaba(orgId)
        const draft = await readDraft(member, body.template as TemplateDraft, body)
        if (body.draft) requireNamed(draft)
        else requireValid(draft)
        await requireFree(databases.read, orgId, wabaId, draft)
        await requireRowsLeft(databases.read, orgId, 'template')
        const fresh = newTemplate(wabaId, draft)
        const next = body.draft ? fresh : await submit(orgId, fresh, draft)
        const stored = await write(member, next, undefined, async trx => {
          if (body.draft) await requireFree(trx, orgId, wabaId, draft)
          await putTemplate(trx, orgId, next)
        })
        return presentOne(orgId, stored)
      }),

    update: (member, { params, ...input }) =>
      withReceived(member, input, async body => {
        const { orgId } = member
        const known = await requireTemplate(orgId, params.id)
        const isDraft = known.status === 'DRAFT'
        if (body.draft && !isDraft)
          throw new InvalidInput([
            { field: 'body.draft', code: 'draftOnly', params: {}, text: 'templates:fault.draftOnly' },
          ])
        // The change applies to what the caller was shown, where headers name stored files.
        const shown = { ...known, components: (await presentOne(orgId, known)).components }
        const draft = await readDraft(member, changedDraft(shown, body.template as Partial<TemplateDraft>), body)
        const next = isDraft
          ? await updateDraft(member, known, draft, body.draft === true)
          : await updateLive(member, known, draft)
        return presentOne(orgId, next)
      }),

    async remove(member, { params, query }) {
      const { orgId } = member
      const known = await requireTemplate(orgId, params.id)
      if (params.name !== known.name)
        throw new InvalidInput([
          { field: 'params.name', code: 'nameMismatch', params: {}, text: 'templates:fault.nameMismatch' },
        ])
      const isWhole = query.scope === 'name'
      const going = isWhole ? await listByName(databases.read, orgId, known.wabaId, known.name) : [known]
      const atMeta = going.filter(one => one.status !== 'DRAFT')
      if (atMeta.length && (await wabaOf(orgId)) === known.wabaId) {
        if (atMeta.some(one => !isDeletable(one.status as TemplateStatus))) throw templateErrors.NOT_DELETABLE()
        await submission.remove(orgId, { name: known.name, ...(isWhole ? {} : { id: known.id }) })
      }
      await writes.run(orgId, actorOf(member), async ({ db, emit }) => {
        await deleteTemplates(
          db,
          orgId,
          going.map(one => one.id),
        )
        for (const one of going) emit(templateChanged(one, { before: one, removed: true }))
      })
      return { removed: going.map(({ id, language }) => ({ id, language })) }
    },

    migrate: (member, { body }) => migration.migrate(member, body.ids),

    async listEarlier({ orgId }, { query: { page = 1 } }) {
      const wabaId = (await wabaOf(orgId)) ?? ''
      return pageOf(orgId, page, await listEarlier(databases.read, orgId, wabaId, windowOf(page)))
    },

    getSync: ({ orgId, language }) => syncState(orgId, language),

    async sync({ orgId, language }) {
      await sync.sync(orgId)
      return syncState(orgId, language)
    },
  }
}
