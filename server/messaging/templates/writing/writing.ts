import type { Db } from '#server/platform/db/database.ts'
import { requireRowsLeft } from '#server/platform/db/row-limits-store.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { TemplateDraft, templatesApi } from '#shared/templates/api.ts'
import { isApproved, isDeletable, isEditable, statusUnderReview, type TemplateStatus } from '#shared/templates/words.ts'
import { templateErrors } from '../errors.ts'
import type { TemplateFiles } from '../files/files.ts'
import { mediaRefs } from '../files/headers.ts'
import type { TemplateReading } from '../read-calls.ts'
import { deleteTemplates, findByKey, listByName, putTemplate, replaceTemplate, type StoredTemplate } from '../store.ts'
import type { SyncParts } from '../sync/sync.ts'
import { templateChanged } from './changes.ts'
import { changedDraft, createDrafting, newTemplate, requireNamed } from './drafting.ts'
import { invalidTemplate, requireValid } from './input.ts'
import type { Submission } from './submission.ts'

export interface WritingParts extends SyncParts {
  ids(): string
  readonly files: TemplateFiles
}

/** Drafts and submits templates, and changes and removes them. */
export function createWriting(
  { databases, clock, ids, writes, files }: WritingParts,
  { wabaOf, requireWaba, presentOne, requireTemplate }: TemplateReading,
  submission: Submission,
): Pick<ServiceOf<typeof templatesApi, OrgCaller>, 'create' | 'update' | 'remove'> {
  const { readDraft, withUploadedFile } = createDrafting(files, writes)

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

  const requireFree = async (db: Db, orgId: string, wabaId: string, draft: TemplateDraft, except?: string) => {
    const holder = await findByKey(db, orgId, wabaId, draft)
    if (holder && holder.id !== except) throw templateErrors.EXISTS({ fields: ['body.template.name'] })
  }

  const submit = async (orgId: string, template: StoredTemplate, draft: TemplateDraft): Promise<StoredTemplate> => {
    requireValid(draft)
    const made = await submission.create(orgId, draft)
    return { ...template, id: made.id, status: made.status, category: made.category, updatedAt: isoNow(clock) }
  }

  const updateDraft = async (member: OrgCaller, known: StoredTemplate, draft: TemplateDraft, isKept: boolean) => {
    const { orgId } = member
    requireNamed(draft)
    await requireFree(databases.read, orgId, known.wabaId, draft, known.id)
    const fresh = {
      ...newTemplate({ id: known.id, wabaId: known.wabaId, now: isoNow(clock) }, draft),
      createdAt: known.createdAt,
    }
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
      withUploadedFile(member, input, async body => {
        const { orgId } = member
        const wabaId = await requireWaba(orgId)
        const draft = await readDraft(member, body.template as TemplateDraft, body)
        if (body.draft) requireNamed(draft)
        else requireValid(draft)
        await requireFree(databases.read, orgId, wabaId, draft)
        await requireRowsLeft(databases.read, orgId, 'template')
        const fresh = newTemplate({ id: ids(), wabaId, now: isoNow(clock) }, draft)
        const next = body.draft ? fresh : await submit(orgId, fresh, draft)
        const stored = await write(member, next, undefined, async trx => {
          if (body.draft) await requireFree(trx, orgId, wabaId, draft)
          await putTemplate(trx, orgId, next)
        })
        return presentOne(orgId, stored)
      }),

    update: (member, { params, ...input }) =>
      withUploadedFile(member, input, async body => {
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
