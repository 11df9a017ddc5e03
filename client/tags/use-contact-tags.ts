import { useRef, useState } from 'react'
import { byLabel, type Tag } from '#shared/tags/api.ts'

interface ContactTagsParts {
  /** What is stored, as far as this page knows. */
  readonly stored: readonly Tag[]
  /** Shows these at once wherever the contact is shown. */
  show(tags: readonly Tag[]): void
  /** Stores one change. */
  save(tag: Tag, isOn: boolean): Promise<unknown>
  /** What was shown is taken back. */
  refused(error: unknown, tag: Tag, isOn: boolean): void
}

export const withTag = (tags: readonly Tag[], tag: Tag, isOn: boolean): Tag[] => {
  const rest = tags.filter(({ id }) => id !== tag.id)
  return isOn ? [...rest, tag].sort(byLabel) : rest
}

interface Change {
  readonly tag: Tag
  readonly isOn: boolean
}

/**
 * The tags of a contact with what was changed here and is not answered yet. Changes show at once and leave one after
 * another, in the order they were made; a refused one is taken back.
 */
export function useContactTags({ stored, show, save, refused }: ContactTagsParts) {
  const [pending, setPending] = useState<readonly Change[]>([])
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const tags = pending.reduce((all, { tag, isOn }) => withTag(all, tag, isOn), [...stored])
  const change = (tag: Tag, isOn: boolean) => {
    const one: Change = { tag, isOn }
    setPending(before => [...before, one])
    show(withTag(tags, tag, isOn))
    queue.current = queue.current
      .then(() => save(tag, isOn))
      .catch((error: unknown) => refused(error, tag, isOn))
      .then(() => setPending(before => before.filter(other => other !== one)))
  }
  return { tags, change }
}
