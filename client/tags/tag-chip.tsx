import type { Tag } from '#shared/tags/api.ts'

/** A tag as it stands alone: its colour as a dot, its label beside it. */
export const TagChip = ({ label, hue }: Pick<Tag, 'label' | 'hue'>) => (
  <span className={`tag tag-box hue-${hue}`} dir="auto">
    {label}
  </span>
)
