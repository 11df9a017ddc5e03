import { useRef, useState } from 'react'
import { byLabel, type Tag } from '#shared/tags/api.ts'

interface ContactTagsParts {
  /** The stored tags, as known by this page. */
  readonly stored: readonly Tag[]
  /** Shows these at once wherever the contact is shown. */
  show(tags: readonly Tag[]): void
  /** Stores one change. */
  save(tag: Tag, isOn: boolean): Promise<unknown>
  /** The change was reverted. */
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
 * A contact's tags, including changes that are not stored yet. Changes show at once and are sent one after another, in
 * order; refused ones are reverted.
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
