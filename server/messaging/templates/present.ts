import { pauseStart } from '#server/whatsapp/fields/template-updates.ts'
import type { Template } from '#shared/templates/api.ts'
import { handleOf } from '#shared/templates/files.ts'
import type { TemplateCategory, TemplateQuality, TemplateStatus } from '#shared/templates/words.ts'
import { presentFile } from './files/files.ts'
import { withHandles } from './files/headers.ts'
import type { TemplateFile } from './files/media-store.ts'
import type { StoredTemplate } from './store.ts'

/** A template for the API. The header names its stored file, so that it can be edited. */
export const present = (template: StoredTemplate, files: ReadonlyMap<string, TemplateFile>): Template => {
  const { wabaId: _wabaId, media, components, ...facts } = template
  const kept = media.filter(({ id }) => files.has(id))
  return {
    ...facts,
    status: facts.status as TemplateStatus,
    category: facts.category as TemplateCategory,
    categoryAsked: facts.categoryAsked as TemplateCategory | null,
    quality: facts.quality as TemplateQuality,
    components: kept.length
      ? withHandles(components, ({ card }) => {
          const file = kept.find(one => one.card === card)
          return file && handleOf(file.id)
        })
      : [...components],
    pausedSince: pauseStart(facts.note, facts.pausedUntil),
    media: kept.map(({ card, id }) => ({ card, ...presentFile(files.get(id) as TemplateFile) })),
  }
}
