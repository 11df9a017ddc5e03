import type { OrgWrite } from '#server/platform/events/write.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { fold } from '#shared/kernel/fold.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import { maxTags, tagHues } from '#shared/tags/api.ts'
import { tagErrors } from './errors.ts'
import { insertTag, listTags, type StoredTag } from './store.ts'

const fields = ['body.label']

/** @throws InvalidInput for a label without visible characters, or with characters that disguise it. */
export const labelOf = (typed: string): string => {
  const label = typed.normalize('NFC').trim().replace(/\s+/g, ' ')
  if (!isPlainName(label)) throw new InvalidInput([{ field: 'body.label', code: 'invalid', params: {} }])
  return label
}

/** @throws TAGS_LABEL_TAKEN by another tag, ignoring case and accents. */
export const requireFree = (tags: readonly StoredTag[], label: string, ownId?: string): void => {
  const wanted = fold(label)
  const taken = tags.find(tag => tag.id !== ownId && fold(tag.label) === wanted)
  if (taken) throw tagErrors.LABEL_TAKEN({ fields, params: { label: taken.label } })
}

/** The colour that the fewest tags have. */
const leastUsedHue = (tags: readonly StoredTag[]): number => {
  const counts = Array.from({ length: tagHues }, (_, hue) => tags.filter(tag => tag.hue === hue).length)
  return counts.indexOf(Math.min(...counts))
}

/**
 * Creates a tag and emits it, with a rare colour unless one is given. @throws TAGS_LABEL_TAKEN, TAGS_TOO_MANY,
 * InvalidInput
 */
export async function makeTag(
  { db, orgId, emit }: OrgWrite,
  { label: typed, hue }: { label: string; hue?: number | undefined },
  { clock, ids }: { clock: Clock; ids: () => string },
): Promise<StoredTag> {
  const known = await listTags(db, orgId, maxTags)
  const tag = { id: ids(), label: labelOf(typed), hue: hue ?? leastUsedHue(known) }
  requireFree(known, tag.label)
  if (known.length >= maxTags) throw tagErrors.TOO_MANY({ params: { limit: maxTags } })
  await insertTag(db, orgId, tag, isoNow(clock))
  emit({ type: 'tag.created', data: { tagId: tag.id, label: tag.label } })
  return tag
}
