import { listFields, saveField } from '#server/messaging/directory/field-store.ts'
import { makeTag } from '#server/messaging/tags/making.ts'
import { createTags } from '#server/messaging/tags/tags.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { type ContactField, fieldValueOf, maxContactFields } from '#shared/contacts/fields.ts'
import { fold } from '#shared/kernel/fold.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import { maxTags, tagHues } from '#shared/tags/api.ts'
import { deleteUnusedField, deleteUnusedTag } from './archived-store.ts'

interface LabelParts {
  readonly clock: Clock
  newId(): string
}

/** Tags and contact fields of an archive, by their labels. */
export function createArchivedLabels({ clock, newId }: LabelParts) {
  const tags = createTags()
  return {
    listTags: tags.list,

    /** The tag of each label; those that are missing are made while there is room. `made`: their ids. */
    async ensureTags(write: OrgWrite, wanted: readonly { label: string; hue: number }[]) {
      const known = new Map((await tags.list(write.db, write.orgId)).map(tag => [fold(tag.label), tag.id]))
      const made: { label: string; id: string }[] = []
      for (const { label: typed, hue } of wanted) {
        const label = typed.normalize('NFC').trim().replace(/\s+/g, ' ')
        if (known.has(fold(label)) || known.size >= maxTags || !isPlainName(label)) continue
        const { id } = await makeTag(write, { label, hue: Math.abs(hue) % tagHues }, { clock, ids: newId })
        known.set(fold(label), id)
        made.push({ label: typed, id })
      }
      return { tagOf: (label: string) => known.get(fold(label.normalize('NFC').trim())), made }
    },

    /** The field of each label; those that are missing are made while there is room. `made`: their ids. */
    async ensureFields({ db, orgId }: OrgWrite, wanted: readonly Omit<ContactField, 'id'>[]) {
      const known = new Map((await listFields(db, orgId, maxContactFields)).map(one => [fold(one.label), one]))
      const made: { label: string; id: string }[] = []
      for (const { label, kind, options } of wanted) {
        if (known.has(fold(label)) || known.size >= maxContactFields || !isPlainName(label)) continue
        const field = { id: newId(), label, kind, options }
        await saveField(db, orgId, field)
        known.set(fold(label), field)
        made.push({ label, id: field.id })
      }
      return {
        /** Undefined: no such field, or the value does not fit it. */
        fieldFor({ label, value }: { label: string; value: string }) {
          const field = known.get(fold(label))
          const stored = field && fieldValueOf(field, value)
          return field && stored !== undefined ? { fieldId: field.id, value: stored } : undefined
        },
        made,
      }
    },

    /** Deletes tags and fields that an import made and nobody uses. */
    async closeLabels({ db, orgId }: OrgWrite, { tagIds, fieldIds }: Record<'tagIds' | 'fieldIds', readonly string[]>) {
      for (const id of tagIds) await deleteUnusedTag(db, orgId, id)
      for (const id of fieldIds) await deleteUnusedField(db, orgId, id)
    },
  }
}
