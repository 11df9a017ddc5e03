import { type KeyboardEvent, type PointerEvent, useState } from 'react'

const width = 120
const height = 28
const margin = 3
/** With fewer days in a row, no curve is drawn. */
const leastPoints = 3
const longestRun = (values: readonly (number | null)[]): number => {
  let [longest, now] = [0, 0]
  for (const value of values) {
    now = value === null ? 0 : now + 1
    longest = Math.max(longest, now)
  }
  return longest
}

interface SparkProps {
  /** The name of the shown figure. */
  readonly name: string
  readonly values: readonly (number | null)[]
  /** The tooltip of one day. */
  says(day: number): string
  /** The description of all days, with the least and the most of a day. */
  saysAll(least: number, most: number): string
}

/** A figure by day; days without cases are gaps. The pointer and the arrow keys go from day to day. */
export function Spark({ name, values, says, saysAll }: SparkProps) {
  const [day, setDay] = useState<number>()
  const known = values.filter(value => value !== null)
  if (longestRun(values) < leastPoints) return null
  const most = Math.max(...known)
  const least = Math.min(0, ...known)
  const end = values.length - 1
  const x = (i: number) => margin + (i * (width - 2 * margin)) / end
  const y = (value: number) => height - margin - ((value - least) * (height - 2 * margin)) / (most - least || 1)
  // `h0`: a day between two gaps is a dot.
  const path = values
    .map((value, i) => {
      if (value === null) return ''
      const begins = values[i - 1] == null
      return `${begins ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}${begins && values[i + 1] == null ? 'h0' : ''}`
    })
    .join('')
  const marked = day ?? values.findLastIndex(value => value !== null)
  const tip = day === undefined ? saysAll(Math.min(...known), most) : says(day)
  const point = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const box = currentTarget.getBoundingClientRect()
    const at = (((clientX - box.left) / box.width) * width - margin) / (width - 2 * margin)
    setDay(Math.round(Math.min(1, Math.max(0, at)) * end))
  }
  const press = (event: KeyboardEvent) => {
    const to = { ArrowLeft: (day ?? end + 1) - 1, ArrowRight: (day ?? -1) + 1, Home: 0, End: end }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setDay(Math.min(end, Math.max(0, to)))
  }
  const leave = () => setDay(undefined)
  return (
    <svg
      className="stats-spark"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${name}. ${tip}`}
      data-tip={tip}
      data-touch=""
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it has the focus only so that its tooltip opens
      tabIndex={0}
      onPointerMove={point}
      onPointerDown={point}
      // A finger leaves with every tap.
      onPointerLeave={({ pointerType }) => pointerType === 'touch' || leave()}
      onKeyDown={press}
      onBlur={leave}
    >
      <path d={path} />
      {values[marked] == null ? null : <circle cx={x(marked).toFixed(1)} cy={y(values[marked]).toFixed(1)} r="2.5" />}
    </svg>
  )
}
