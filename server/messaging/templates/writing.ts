import type { Db } from '#server/platform/db/database.ts'
import { requireRowsLeft } from '#server/platform/db/row-limits-store.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { readComponents } from '#server/whatsapp/template-shape.ts'
import type { ReceivedFile, ServiceOf } from '#shared/kernel/contract.ts'
import type { TemplateDraft, templatesApi } from '#shared/templates/api.ts'
import { parameterFormatOf } from '#shared/templates/check.ts'
import { handleOf } from '#shared/templates/files.ts'
import {
  isApproved,
  isDeletable,
  isEditable,
  statusUnderReview,
  type TemplateStatus,
  unratedQuality,
} from '#shared/templates/words.ts'
import { templateChanged } from './changes.ts'
import { templateErrors } from './errors.ts'
import type { TemplateFiles } from './files.ts'
import { mediaRefs, takesFile, withFile } from './headers.ts'
import { invalidTemplate, requireValid } from './input.ts'
import type { TemplateReading } from './reading.ts'
import { deleteTemplates, findByKey, listByName, putTemplate, replaceTemplate, type StoredTemplate } from './store.ts'
import type { Submission } from './submission.ts'
import type { SyncParts } from './sync.ts'

export interface WritingParts extends SyncParts {
  ids(): string
  readonly files: TemplateFiles
}

type WriteBody = { file?: unknown; draft?: boolean }

const noPlaceForFile = () =>
  new InvalidInput([{ field: 'body.file', code: 'fileNoPlace', params: {}, text: 'templates:fault.fileNoPlace' }])

/** Drafts and submits templates, and changes and removes them. */
export function createWriting(
  { databases, clock, ids, writes, files }: WritingParts,
  { wabaOf, requireWaba, presentOne, requireTemplate }: TemplateReading,
  submission: Submission,
): Pick<ServiceOf<typeof templatesApi, OrgCaller>, 'create' | 'update' | 'remove'> {
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
      quality: unratedQuality,
      rejectedReason: null,
      note: null,
      pausedUntil: null,
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
    const isCategoryFixed = isApproved(known.status) && draft.category !== known.category
    const faults = [...fixed, ...(isCategoryFixed ? ['category'] : [])]
    if (faults.length) throw invalidTemplate(faults.map(field => ({ field, code: 'cannotChange', params: {} })))
    if (!isEditable(known.status) || (await requireWaba(orgId)) !== known.wabaId) throw templateErrors.NOT_EDITABLE()
    requireValid(draft)
    await submission.edit(orgId, known, draft)
    const next: StoredTemplate = {
      ...known,
      status: statusUnderReview,
      category: draft.category,
      categoryAsked: draft.category,
      components: draft.components,
      media: mediaRefs(draft.components),
      rejectedReason: null,
      note: null,
      pausedUntil: null,
      ttlSeconds: draft.ttlSeconds ?? null,
      updatedAt: isoNow(clock),
    }
    return write(member, next, known, async trx => void (await replaceTemplate(trx, orgId, known.id, next)))
  }

  return {
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
  }
}
