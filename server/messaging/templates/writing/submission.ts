import { isMissingTemplate } from '#server/whatsapp/errors/code-meanings.ts'
import type { WhatsAppAccount } from '#server/whatsapp/management/account.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import type { TemplateDraft } from '#shared/templates/api.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import { fileIdOf } from '#shared/templates/files.ts'
import { templateErrors } from '../errors.ts'
import type { TemplateFiles } from '../files/files.ts'
import { fileFaults, mediaRefs, withHandles } from '../files/headers.ts'
import type { StoredTemplate } from '../store.ts'
import { invalidTemplate } from './input.ts'
import { ask, isUnanswered } from './refusals.ts'

interface Parts {
  readonly files: TemplateFiles
  openAccount(orgId: string): Promise<{ account: WhatsAppAccount; wabaId: string } | undefined>
}

export interface Submission {
  /** Uploads its files and submits it for review. @throws InvalidInput for a file, TEMPLATES_… of Meta */
  create(orgId: string, draft: TemplateDraft): Promise<{ id: string; status: string; category: string }>
  edit(orgId: string, known: StoredTemplate, draft: TemplateDraft): Promise<void>
  remove(orgId: string, which: { name: string; id?: string }): Promise<void>
}

const isGone = (error: unknown): boolean => error instanceof WhatsAppError && isMissingTemplate(error.subcode)

/** Requests to Meta. Nothing is stored here. */
export function createSubmission({ files, openAccount }: Parts): Submission {
  const requireAccount = async (orgId: string): Promise<WhatsAppAccount> => {
    const connected = await openAccount(orgId)
    if (!connected) throw templateErrors.NOT_CONNECTED()
    return connected.account
  }

  /** Replaces stored files by Meta's handles. Each file is uploaded once. */
  const uploaded = async (
    orgId: string,
    account: WhatsAppAccount,
    components: readonly TemplateComponent[],
  ): Promise<TemplateComponent[]> => {
    const wanted = mediaRefs(components).map(({ id }) => id)
    const known = await files.list(orgId, wanted)
    const faults = fileFaults(components, known)
    if (faults.length) throw invalidTemplate(faults)
    const handles = new Map<string, string>()
    for (const file of known.values()) {
      const { name, mime } = file
      const handle = await files.withBlob(file, bytes => ask(account.uploadFile({ name, mime, bytes })))
      if (handle === 'missing') throw templateErrors.FILE_NOT_FOUND()
      handles.set(file.id, handle)
    }
    return withHandles(components, ({ handle }) => handles.get(fileIdOf(handle ?? '') ?? ''))
  }

  return {
    async create(orgId, draft) {
      const account = await requireAccount(orgId)
      const components = await uploaded(orgId, account, draft.components)
      const { name, language, category, parameterFormat = 'POSITIONAL', ttlSeconds } = draft
      try {
        return await account.createTemplate({ name, language, category, parameterFormat, components, ttlSeconds })
      } catch (error) {
        // No answer: Meta may have accepted it, and a second submission would be refused as a duplicate.
        if (!isUnanswered(error)) return ask(Promise.reject(error))
        const { templates } = await ask(account.listTemplates({ name }))
        const made = templates.find(one => one.language === language)
        return made ?? ask(Promise.reject(error))
      }
    },

    async edit(orgId, known, draft) {
      const account = await requireAccount(orgId)
      const components = await uploaded(orgId, account, draft.components)
      const category = draft.category === known.category ? {} : { category: draft.category }
      await ask(account.editTemplate(known.id, { ...category, components, ttlSeconds: draft.ttlSeconds }))
    },

    async remove(orgId, which) {
      const account = await requireAccount(orgId)
      try {
        await account.deleteTemplate(which)
      } catch (error) {
        if (!isGone(error)) await ask(Promise.reject(error))
      }
    },
  }
}
