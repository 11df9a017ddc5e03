const width = 120
const height = 28
const margin = 3

interface SparkProps {
  readonly values: readonly (number | null)[]
  /** What the tooltip says of the least and the most of a day. */
  says(least: number, most: number): string
}

/** A figure by day. Days without cases are gaps. Hidden from screen readers, which read the figures beside it. */
export function Spark({ values, says }: SparkProps) {
  const known = values.filter(value => value !== null)
  if (known.length < 2) return null
  const most = Math.max(...known)
  const least = Math.min(0, ...known)
  const x = (i: number) => margin + (i * (width - 2 * margin)) / (values.length - 1)
  const y = (value: number) => height - margin - ((value - least) * (height - 2 * margin)) / (most - least || 1)
  let isDown = false
  const path = values
    .map((value, i) => {
      if (value === null) {
        isDown = false
        return ''
      }
      const move = isDown ? 'L' : 'M'
      isDown = true
      return `${move}${x(i).toFixed(1)} ${y(value).toFixed(1)}`
    })
    .join('')
  const last = values.findLastIndex(value => value !== null)
  return (
    <svg
      className="stats-spark"
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      data-tip={says(Math.min(...known), most)}
      data-touch=""
    >
      <path d={path} />
      <circle cx={x(last).toFixed(1)} cy={y(values[last] ?? 0).toFixed(1)} r="2.5" />
    </svg>
  )
}
