import './parts-progress.css'
import type { InParts } from '#client/app/calls/use-in-parts.ts'

interface PartsProgressProps {
  readonly parts: InParts
  /** Returns the progress, such as "200 of 1,284", and that the page must stay open. */
  says(progress: { done: number; count: number }): string
  readonly stop: string
}

/** Shows the progress of a change of many rows, with a way to stop it. Nothing while none runs. */
export function PartsProgress({ parts, says, stop }: PartsProgressProps) {
  if (!parts.progress) return null
  const said = says(parts.progress)
  return (
    <div className="parts-progress line">
      <progress value={parts.progress.done} max={parts.progress.count} aria-label={said} />
      <span className="grow small" role="status">
        {said}
      </span>
      <button type="button" className="button" onClick={parts.stop}>
        {stop}
      </button>
    </div>
  )
}
