import { Bell } from '#client/notifications/bell.tsx'
import { summaryQuery } from '#client/notifications/queries.ts'
import { SearchButton } from '#client/palette/search-button.tsx'
import { Quiet } from '#client/ui/feedback/quiet.tsx'
import { ThemeMenu } from './account/theme-menu.tsx'

/** Queries of the header's tools, started by the frame's loader. */
export const toolQueries = (org: string) => [summaryQuery(org)]

/** Tools of features, at the right of the header. */
export const HeaderTools = () => (
  <>
    <SearchButton />
    <ThemeMenu />
    <Quiet>
      <Bell />
    </Quiet>
  </>
)
