import { hueOf } from './hue.ts'

const initialsMax = 2

/** Up to two letters; of a bare number its last two digits. */
const initialsOf = (name: string): string => {
  const words = name.match(/(?![ºª])\p{L}[\p{L}\p{M}'’-]*/gu)
  if (!words?.length) return name.replace(/\D/g, '').slice(-initialsMax) || '?'
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : [words[0]]
  return picked.map(word => [...(word as string)][0]?.toUpperCase()).join('')
}

interface AvatarProps {
  readonly name: string
  /** What the colour comes from: it stays when the name changes. */
  readonly of: string
  readonly image?: string | null
  readonly small?: boolean
}

/** Decoration beside a person's name: a picture, or two letters on a colour of their own. */
export const Avatar = ({ name, of, image, small }: AvatarProps) => (
  <span className={`avatar hue-${hueOf(of)}${small ? ' avatar-s' : ''}`} aria-hidden="true">
    {image ? <img src={image} alt="" /> : initialsOf(name)}
  </span>
)
