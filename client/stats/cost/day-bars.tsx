import type { KeyboardEvent } from 'react'
import { ChartLink } from '../chart-link.tsx'

interface DayBar {
  readonly day: string
  readonly value: number
  /** The list of its messages; null: the viewer may not open it. */
  readonly href: string | null
  /** The text of the tooltip. */
  readonly says: string
}

const barWidth = 10
const height = 100

const moves: Readonly<Record<string, 'nextElementSibling' | 'previousElementSibling'>> = {
  ArrowRight: 'nextElementSibling',
  ArrowLeft: 'previousElementSibling',
}

/** The arrow keys go from bar to bar, so that a long range is one stop of the tab key. */
const move = (event: KeyboardEvent<SVGSVGElement>) => {
  const way = moves[event.key]
  const next = way && event.target instanceof Element ? event.target[way] : null
  if (!(next instanceof SVGElement)) return
  event.preventDefault()
  next.focus()
}

/** One bar for each day, which opens the messages of the day. The table below says the same. */
export function DayBars({ bars }: { readonly bars: readonly DayBar[] }) {
  const most = Math.max(...bars.map(({ value }) => value), 0) || 1
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: its figure names it, and each bar has a name
    <svg
      className="stats-day-bars"
      viewBox={`0 0 ${bars.length * barWidth} ${height}`}
      preserveAspectRatio="none"
      onKeyDown={move}
    >
      {bars.map(({ day, value, says, href }, i) => {
        const named = { 'aria-label': says, tabIndex: i === 0 ? 0 : -1 }
        const rects = (
          <>
            <rect className="stats-day-room" x={i * barWidth} width={barWidth} height={height} />
            <rect
              x={i * barWidth + 1}
              y={height - (height * value) / most}
              width={barWidth - 2}
              height={(height * value) / most}
            />
          </>
        )
        return href ? (
          <ChartLink key={day} to={href} tip={says} {...named}>
            {rects}
          </ChartLink>
        ) : (
          // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it has the focus only so that its tooltip opens
          <g key={day} role="img" data-tip={says} data-touch="" {...named}>
            {rects}
          </g>
        )
      })}
    </svg>
  )
}
