import { hueOf } from './hue.ts'

/** Two letters that stand for a name. */
export const initialsOf = (name: string): string => {
  const [first = '', ...others] = name.trim().split(/\s+/)
  const last = others.at(-1) ?? ''
  return ([...first][0] ?? '').concat([...last][0] ?? '').toLocaleUpperCase('es')
}

/** Decoration beside a name: its picture, or two letters. */
export const Logo = ({ name, image }: { name: string; image: string | null }) =>
  image ? (
    <img className="logo" src={image} alt="" width="32" height="32" />
  ) : (
    <span className={`logo hue-${hueOf(name)}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
