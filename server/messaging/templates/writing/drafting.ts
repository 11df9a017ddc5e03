import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { readComponents } from '#server/whatsapp/templates/template-shape.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import type { TemplateDraft } from '#shared/templates/api.ts'
import { parameterFormatOf } from '#shared/templates/check.ts'
import { handleOf } from '#shared/templates/files.ts'
import { unratedQuality } from '#shared/templates/words.ts'
import type { TemplateFiles } from '../files/files.ts'
import { mediaRefs, takesFile, withFile } from '../files/headers.ts'
import type { StoredTemplate } from '../store.ts'
import { invalidTemplate } from './input.ts'

/** The fields of a request that say which file goes into the header, and whether the template stays a draft. */
interface WriteBody {
  readonly file?: unknown
  readonly draft?: boolean
}

const noPlaceForFile = () =>
  new InvalidInput([{ field: 'body.file', code: 'fileNoPlace', params: {}, text: 'templates:fault.fileNoPlace' }])

/** A draft may be incomplete, but needs a name and a language. */
export const requireNamed = (draft: TemplateDraft): void => {
  if (!/^[a-z0-9_]{1,512}$/.test(draft.name))
    throw invalidTemplate([{ field: 'name', code: draft.name === '' ? 'required' : 'nameCharacters', params: {} }])
  if (draft.language === '') throw invalidTemplate([{ field: 'language', code: 'required', params: {} }])
}

/** The draft that results when a change is applied to a template. */
export const changedDraft = (
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

export const newTemplate = (
  { id, wabaId, now }: { id: string; wabaId: string; now: string },
  draft: TemplateDraft,
): StoredTemplate => ({
  id,
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
})

/** Reads drafts from requests, with the files that they bring. */
export function createDrafting(files: TemplateFiles, writes: Pick<Writes, 'run'>) {
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
  const withUploadedFile = async <B extends WriteBody, T>(
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

  return { readDraft, withUploadedFile }
}
