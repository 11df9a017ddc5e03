import { useQueryClient } from '@tanstack/react-query'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ViewFilter } from '#shared/saved-views/api.ts'
import { shownViews } from '#shared/saved-views/shown.ts'
import type { InboxT } from '../../words.ts'
import { Counted } from '../counted.tsx'
import type { ListFilter } from '../list-filter.ts'
import { isShown, useViewWords } from './view-filter.ts'
import { refreshViews, viewCountsQuery, viewsQuery } from './views-query.ts'

const minuteMs = 60_000
/** More views may be wider than the list. */
const mostInSight = 2

interface ViewChipsProps {
  readonly org: string
  readonly filter: ListFilter
  readonly t: InboxT
  /** `{}`: everything. */
  onPick(view: ViewFilter): void
  /** Opens the menu that has all views. */
  onMore(): void
}

/** The saved views above the list, with their counts. Nothing without any. */
export const ViewChips = ({ org, filter, t, onPick, onMore }: ViewChipsProps) => {
  const client = useQueryClient()
  // Comes with the page, so that the list below does not move.
  const views = useOptionalAnswer(viewsQuery(org))?.items ?? []
  const shown = shownViews(views)
  // Not awaited. Closing windows emit no event.
  const counts = useOptionalAnswer({
    ...viewCountsQuery(org),
    enabled: shown.length > 0,
    refetchInterval: minuteMs,
  })?.items
  const wordsOf = useViewWords(org, shown)
  const refresh = () => void refreshViews(client, org)
  useEvents({ savedViews: refresh }, refresh)
  if (!shown.length) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; these buttons choose what is shown
    <div className="view-chips line" role="group" aria-label={t('views.heading')}>
      {shown.map(view => {
        const isPressed = isShown(filter, view.filter)
        return (
          <button
            key={view.id}
            type="button"
            className="view-chip"
            aria-pressed={isPressed}
            title={wordsOf(view)}
            onClick={() => onPick(isPressed ? {} : view.filter)}
          >
            <span className="cut" dir="auto">
              {view.name}
            </span>
            <Counted part={counts?.find(({ id }) => id === view.id)} saysNone />
          </button>
        )
      })}
      {views.length > mostInSight ? (
        <button
          type="button"
          className="icon-button view-chips-all"
          aria-haspopup="dialog"
          aria-label={t('views.all')}
          title={t('views.all')}
          onClick={onMore}
        >
          <Icon name="more" />
        </button>
      ) : null}
    </div>
  )
}
