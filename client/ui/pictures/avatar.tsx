import { hueOfKey } from './hue.ts'
import { initialsOf } from './initials.ts'

interface AvatarProps {
  readonly name: string
  /** The key of the color, so that it stays when the name changes. */
  readonly of: string
  readonly image?: string | null
  readonly small?: boolean
}

/** Decoration beside a person's name: a picture, or two letters on a color. */
export const Avatar = ({ name, of, image, small }: AvatarProps) => (
  <span className={`avatar hue-${hueOfKey(of)}${small ? ' avatar-s' : ''}`} aria-hidden="true">
    {image ? <img src={image} alt="" /> : initialsOf(name)}
  </span>
)
