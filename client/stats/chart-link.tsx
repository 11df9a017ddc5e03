import { type ComponentProps, useRef } from 'react'
import { Link } from 'react-router'

/** A second tap within this time opens the list. */
const secondTapMs = 5_000

interface ChartLinkProps extends Omit<ComponentProps<typeof Link>, 'onClick'> {
  readonly tip: string
}

/** A part of a chart: it opens the list of what it counts. A finger sees the tooltip first, and opens with a second tap. */
export function ChartLink({ tip, ...link }: ChartLinkProps) {
  const tappedAt = useRef(Number.NEGATIVE_INFINITY)
  return (
    <Link
      {...link}
      data-tip={tip}
      data-touch=""
      onClick={event => {
        const { pointerType, timeStamp } = event.nativeEvent as PointerEvent
        if (pointerType !== 'touch' || timeStamp - tappedAt.current < secondTapMs) return
        tappedAt.current = timeStamp
        event.preventDefault()
      }}
    />
  )
}
