import { hueOf, initialsOf } from './words.ts'

export const Avatar = ({ name, phone, small }: { name: string; phone: string; small?: boolean }) => (
  <span className={`avatar hue-${hueOf(phone)}${small ? ' avatar-s' : ''}`} aria-hidden="true">
    {initialsOf(name)}
  </span>
)
