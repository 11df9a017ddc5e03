import { hueOfKey } from './hue.ts'
import { initialsOf } from './initials.ts'

/** Decoration beside an organization's name: its logo, or two letters. */
export const Logo = ({ name, image }: { name: string; image: string | null }) =>
  image ? (
    <img className="logo" src={image} alt="" width="32" height="32" />
  ) : (
    <span className={`logo hue-${hueOfKey(name)}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
