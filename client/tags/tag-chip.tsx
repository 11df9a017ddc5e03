import type { Tag } from '#shared/tags/api.ts'

/** A tag: its colour as a dot, and its label. */
export const TagChip = ({ label, hue }: Pick<Tag, 'label' | 'hue'>) => (
  <span className={`tag tag-box hue-${hue}`} dir="auto">
    {label}
  </span>
)
